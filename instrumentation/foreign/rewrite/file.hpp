// One of the user's files on its way to C++ that g++ compiles. Device code alone gets recording types; of host code
// launches and the type arguments of kernels change, and nothing else. Private to rewrite/.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "instrumentation/foreign/rewrite/tokens.hpp"

namespace warptree::foreign {

inline const Words kAssigns = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
inline const Words kIntegerWords = {"int", "unsigned", "signed", "long", "short", "char"};

/// What the files of a program know of each other.
struct Shared {
    std::map<std::string, std::vector<bool>, std::less<>>
        functions;                                          // of the device: which template parameters are types
    Words device_only;                                      // of those: they are no kernels
    std::map<std::string, const void*, std::less<>> homes;  // of kernels: the file that defines each
    Words float_names, integer_names;                       // typedefs
    Words pointer_names;                                    // of those the pointers
    Words naming;                                           // macros that launch a name that they get, or paste it
    std::map<std::string, Words, std::less<>> macros;       // with the words in their bodies
    Words tested;                                           // words of #if and #elif
    bool narrow = true;                                     // chars and shorts may record
    int shared_arrays = 0;
    Words device_words, reckoned;  // that device code uses; of these members that operators take
    Words declared;                // functions that some file has, and another one may call or define
    Words data_returns;            // of these such that give back data, and which of their parameters hold data
    std::map<std::string, std::set<std::size_t>, std::less<>> data_parameters;
    Words views, no_views;                                           // structs that are there twice, and cannot be
    Words member_data, member_pointers;                              // of these
    std::map<std::string, std::string, std::less<>> shared_outside;  // of functions: what stands for their name
};

/// A function of the device. Positions are of Tokens.
struct Region {
    std::size_t begin = 0, open = 0, close = 0, body = 0, end = 0;  // open, close: of its parameters
    std::string name;
    bool kernel = false, hosts = false;  // hosts: it is of the host, too
    bool twice = false;                  // then it is there as the host has it, and as it records

    /// Declarations of one integer type.
    struct Group {
        std::size_t first, last;  // the type's words
        bool points;              // to integers, or refers to one: they hold data always
        bool returns;             // it is what the function returns
        Words names;
    };
    std::vector<Group> groups;
    Words data;                           // variables that hold data
    Words pointers;                       // and arrays
    Words deduced;                        // variables of a template's type, or auto: they hold what they are given
    std::vector<std::string> parameters;  // in order
    Words functor_types;                  // of a functor's operator(): those of its template, which record here
    bool is_binary() const { return name == "operator()" && parameters.size() == 2; }
};

/// A struct, up to its ';'. Positions are of Tokens.
struct Struct {
    std::size_t begin = 0, named = 0, open = 0, close = 0, end = 0;
    std::string tag, alias;  // alias: of a typedef
    Words types;             // its template's
    using Range = std::pair<std::size_t, std::size_t>;
    std::vector<Range> members, data;  // [first, end); data: those that record
    std::vector<Range> host;           // [first, last] of functions of the host alone
};

class File {
public:
    File(std::string_view text, Shared& shared) : t_(text), shared_(shared) {}
    /// Finds what other files have to know: before any is rewritten.
    void survey();
    /// Then: which structs have views.
    void settle();
    /// include  of the name in an #include, and whether it is in quotes, what is to stand there: "" as it is
    template <class Include>
    void includes(Include&& include) {
        for (std::size_t n = 0; n < t_.size(); ++n)
            if (t_.is_directive(n)) {
                const std::string name = included_name(n);
                const bool own = t_[n].find('"') != std::string_view::npos;
                const std::string line = name.empty() ? std::string() : include(name, own);
                if (!line.empty()) t_.replace(n, n, line);
            }
    }
    bool has_main() const;
    /// Whether less of it may record, where it does not compile: structs or functions are there twice, or chars record.
    bool may_record_less() const {
        return !shared_.views.empty() || doubled_ || has(shared_.device_words, "char") ||
               has(shared_.device_words, "short");
    }
    /// The line on which device code launches a kernel; 0: none.
    std::ptrdiff_t inner_launch() const;
    /// The kernels that it defines.
    const std::vector<std::string>& kernels() const { return kernels_; }
    /// Finds which integers hold data, of functions that other files declare by what is shared.
    void infer_all();
    std::string rewritten();
    /// With its launches alone changed.
    std::string launched();

private:
    void prepare();
    std::string included_name(std::size_t n) const;
    void find_aliases();
    void drop_branches();
    std::optional<bool> holds(const Tokens& directive) const;
    void find_regions();
    std::size_t add_region(std::size_t n);
    void device_variable(std::size_t begin, std::size_t end);
    void note_device_data(std::size_t at);
    void see_from_host(const std::string& name, std::size_t end);
    std::vector<bool> template_kinds(std::size_t n) const;

    // Structs
    void find_structs();
    bool find_members(Struct&);
    bool is_view(std::string_view name) const { return has(shared_.views, name); }
    bool records(const Words& types, std::size_t first, std::size_t end, bool floats) const;
    std::string of_host(const Struct&, const std::string& name, const std::string& arguments) const;
    std::string arguments_of(const Struct&) const;
    std::vector<std::size_t> names_of(std::size_t first, std::size_t end) const;
    void record_integers(std::size_t first, std::size_t last, std::size_t end);
    void rewrite_structs();
    bool is_twice(const Region&) const;

    // Which integers hold data
    void collect(Region&);
    void collect_integer(Region&, std::size_t& n);
    void collect_parameters(Region&);
    Words declared(Region&, std::size_t first) const;
    bool steps_through(std::string_view name, std::size_t open) const;
    void collect_lambda(Region& r, std::size_t open);
    void template_pointers(const Region& r);
    void infer(Region&);
    void infer_call(Region&, std::size_t n);
    bool is_data(const Region&, std::size_t first, std::size_t end) const;
    bool takes_reference(const Region&, std::size_t parameter) const;
    std::optional<std::size_t> integer_type(std::size_t n) const;
    bool is_integer(std::size_t n) const;
    bool is_float(std::size_t n) const;
    std::size_t facts() const;

    void rewrite(Region&);
    bool may_lack_return(const Region&) const;
    bool declares(const Region&, std::string_view name) const;
    std::size_t rewrite_word(Region&, std::size_t n);
    void record_type(std::size_t first, std::size_t last);
    void record_arguments(std::string_view function, std::size_t angle);
    std::size_t shared_array(Region*, std::size_t n);
    bool shared_name(const Region&, std::size_t n);
    void cast(const Region&, std::size_t n);
    void count_for(std::size_t n);
    void count_while(std::size_t n);
    void maximum_of_if(const Region&, std::size_t n);
    /// What of two values a comparison takes.
    struct Extreme {
        std::string what = {};    // max, min; "": it is no such comparison
        std::string member = {};  // of them is compared; "": they themselves
        bool ties = false;        // of equal ones the second is taken
        /// also  ", [&]() -> bool {...}": when the second is taken, too; "": never
        std::string of(const std::string& dropped, const std::string& taken, const std::string& also = "") const;
    };
    Extreme extreme(std::size_t first, std::size_t last, std::string_view dropped, std::string_view taken) const;
    void inline_ptx(std::size_t n);
    void divisors(const Region&);
    std::size_t end_of_operand(std::size_t n) const;
    void conditionals(const Region&);
    void conditional(const Region&, std::size_t question);
    bool maximum_of_conditional(const Region&, std::size_t question, std::size_t colon, std::size_t end);

    void host();
    bool is_kernel(std::string_view name) const;
    void find_hidden();
    void kernel_value(std::size_t n);
    std::size_t launched_by(std::size_t n) const;
    const char* line_of_launch(const std::string& kernel) const;
    void launch(std::size_t n);
    void launch_by_pointers(std::size_t n);
    void macros();
    std::string in_macro(const std::string& body, bool device, bool binds) const;
    bool binds(std::string_view macro) const;
    Words macros_of_device() const;
    bool inside(std::size_t n) const { return n < inside_.size() && inside_[n]; }

    Tokens t_;
    Shared& shared_;
    std::vector<Region> regions_;
    std::vector<Struct> structs_;
    std::vector<Struct::Range> variables_;  // of the device
    std::vector<bool> inside_;              // (tokens,) of device code
    Words data_returns_;                    // functions
    std::map<std::string, std::set<std::size_t>, std::less<>> data_parameters_;
    std::vector<std::string> kernels_;
    Words own_;     // macros that the file defines
    Words hidden_;  // kernels whose names variables of the host have, too
    bool settled_ = false, doubled_ = false, prepared_ = false;
    std::map<std::size_t, std::string> for_host_;               // token -> the host's own of a function of both
    bool in_macro_ = false;                                     // it is a macro's text
    bool binds_ = false;                                        // and what is handed to it needs no brackets
    std::vector<std::pair<std::size_t, std::size_t>> outside_;  // shared arrays outside of functions
};

}  // namespace warptree::foreign
