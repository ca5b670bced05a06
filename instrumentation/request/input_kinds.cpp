// Files that hold no values as text, by how they begin: what they are, and how their values become an input.
#include <algorithm>

#include <fmt/format.h>

#include "instrumentation/refusal.hpp"
#include "instrumentation/request/input_text.hpp"

namespace warptree::kernels {
namespace {

using namespace std::string_view_literals;

struct FileKind {
    std::string_view begins, what;  // with the cure
};
constexpr FileKind kKinds[] = {
    {"\x80\x02"sv, "a pickle of Python's: load it and save its array, np.save(\"a.npy\", a)"},
    {"\x80\x03"sv, "a pickle of Python's: load it and save its array, np.save(\"a.npy\", a)"},
    {"\x80\x04"sv, "a pickle of Python's: load it and save its array, np.save(\"a.npy\", a)"},
    {"\x80\x05"sv, "a pickle of Python's: load it and save its array, np.save(\"a.npy\", a)"},
    {"\x1f\x8b"sv, "compressed by gzip: unpack it first, gunzip FILE"},
    {"BZh"sv, "compressed by bzip2: unpack it first, bunzip2 FILE"},
    {"\xfd"
     "7zXZ"sv,
     "compressed by xz: unpack it first, unxz FILE"},
    {"\x28\xb5\x2f\xfd"sv, "compressed by Zstandard: unpack it first, unzstd FILE"},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive: unpack it first"},
    {"\x89PNG"sv, "a PNG picture; values stand in a .npy, .csv or text file"},
    {"\xff\xd8\xff"sv, "a JPEG picture; values stand in a .npy, .csv or text file"},
    {"GIF8"sv, "a GIF picture; values stand in a .npy, .csv or text file"},
    {"%PDF"sv, "a PDF; copy its values into a text file"},
    {"{\\rtf"sv, "a text with layout (RTF); save it as plain text"},
    {"\xd0\xcf\x11\xe0"sv, "a document of Microsoft Office; save the sheet as CSV"},
    {"\x89HDF"sv, "an HDF5 file: np.save(\"a.npy\", h5py.File(FILE)[NAME][:]) takes an array out of it"},
    {"MATLAB 5.0 MAT"sv, "a file of MATLAB's: np.save(\"a.npy\", scipy.io.loadmat(FILE)[NAME].ravel())"},
    {"PAR1"sv, "a Parquet file: pandas.read_parquet(FILE)[NAME].to_csv(\"a.csv\", index=False)"},
    {"ARROW1"sv, "a Feather file: pandas.read_feather(FILE)[NAME].to_csv(\"a.csv\", index=False)"},
    {"SQLite format 3"sv, "an SQLite database; write one column of it as CSV"},
    {"\x7f"
     "ELF"sv,
     "a program; values stand in a .npy, .csv or text file"},
    {"<!DOCTYPE"sv, "a web page; copy its values into a text file"},
    {"<html"sv, "a web page; copy its values into a text file"},
    {"<?xml"sv, "XML; write its values as text, one a line"},
};

/// By the names of its members, which stand in it as they are.
std::string kind_of_zip(std::string_view bytes) {
    const auto has = [bytes](std::string_view name) { return bytes.find(name) != bytes.npos; };
    const std::string_view first = bytes.substr(std::min<std::size_t>(30, bytes.size()), 64);
    if (has("manifest.json") && has("site.npy"))
        return "a trace that Warptree has recorded; it is named in a kernel's place, warptree report FILE";
    if (has("xl/workbook")) return "a workbook of Excel's; save the sheet as CSV";
    if (first.starts_with("mimetypeapplication/vnd.oasis")) return "an OpenDocument file; save the sheet as CSV";
    if (has("word/document")) return "a document of Word's; save it as plain text";
    if (has("data.pkl")) return "a tensor of PyTorch's: np.save(\"a.npy\", torch.load(FILE).numpy())";
    if (const std::size_t end = first.find(".npy"); end != first.npos) {
        const std::string_view name = first.substr(0, end);
        const bool text = std::ranges::all_of(name, [](char c) { return c >= 0x20 && c < 0x7f; });
        return fmt::format("an archive of arrays (.npz): np.save(\"a.npy\", np.load(FILE)[\"{}\"]) takes one out of it",
                           text ? name : "arr_0");
    }
    return "a ZIP archive; unpack it first";
}

}  // namespace

std::string kind_of_file(std::string_view bytes) {
    if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) return kind_of_zip(bytes);
    std::string_view begin = bytes.substr(0, 256);
    begin.remove_prefix(std::min(begin.find_first_not_of(" \r\n"), begin.size()));
    for (const FileKind& kind : kKinds)
        if (begin.starts_with(kind.begins)) return std::string(kind.what);
    if (begin.starts_with('{') && begin.find("\":") != begin.npos)
        return "JSON with names in it; write its values as a list, [3, 1, 7, 0]";
    return "";
}

void refuse_binary(const PlainText& text) {
    const auto no_text = [](char c) {
        return c >= 0 && c < 0x20 && (c < '\t' || c > '\r') && c != '\x1a' && c != kGroupBlank;
    };
    const std::string_view plain = text.view().substr(0, 4096);
    const auto at = std::ranges::find_if(plain, no_text);
    if (at == plain.end()) return;
    refuse(
        "it is binary data, at {} no text: np.save(\"a.npy\", np.fromfile(FILE, dtype=\"float32\")) makes a .npy of "
        "raw "
        "numbers",
        text.place(static_cast<std::size_t>(at - plain.begin())));
}

}  // namespace warptree::kernels
