// Numbers and lists as words.
#include "app/subject/words.hpp"

#include <gtest/gtest.h>

namespace warptree::study {
namespace {

TEST(Words, NumbersReadWell) {
    EXPECT_EQ(grouped(1234567), "1,234,567");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(whole(1234.5), "1,235");
    EXPECT_EQ(count_word(12), "twelve");
    EXPECT_EQ(count_word(13), "13");
    EXPECT_EQ(counted(1, "slot"), "1 slot");
    EXPECT_EQ(counted(2000, "slot"), "2,000 slots");
    EXPECT_EQ(brief_percent(0.125), "12.5 %");
    EXPECT_EQ(brief_percent(0.5), "50 %");
    EXPECT_EQ(percent(0.0625), "6.25 %") << "to the hundredth that there is";
    EXPECT_EQ(percent(255.0 / 864), "29.5 %");
    EXPECT_EQ(brief_percent(0.99957), "99.96 %") << "not all";
    EXPECT_EQ(brief_percent(1), "100 %");
}

TEST(Words, AValueThatIsShortenedIsSeenToBeSo) {
    EXPECT_EQ(short_value("15561.41", 8), "15561.41");
    EXPECT_EQ(short_value("15561.41", 7), "15561.4");
    EXPECT_EQ(short_value("15561.41", 6), "1.56e4") << "not 15561, which would seem to be all of it";
    EXPECT_EQ(short_value("15561.41", 3), "2e4");
    EXPECT_EQ(short_value("0.84018771", 5), "0.840");
    EXPECT_EQ(short_value("0.99999994", 5), "1.000");
    EXPECT_EQ(short_value("-5.9604645e-08", 5), "-6e-8");
    EXPECT_EQ(short_value("-5.9604645e-08", 4), "…");
    EXPECT_EQ(short_value("123456789", 5), "1.2e8");
    EXPECT_EQ(short_value("1.000000015047466e+30", 4), "1e30");
    EXPECT_EQ(short_value("-inf", 3), "…");
    EXPECT_EQ(short_value("[1 1; 1 0]", 4), "…") << "no part of a matrix";
}

TEST(Words, DevicesAreToldApartByOneWord) {
    EXPECT_EQ(brief_device("NVIDIA H100 80GB HBM3"), "H100");
    EXPECT_EQ(brief_device("GeForce 8800 GTX (G80), as published"), "G80");
    EXPECT_EQ(brief_device("GeForce GT 240, as published"), "GT 240");
    EXPECT_EQ(brief_device("CPU executor"), "CPU executor");
    EXPECT_EQ(brief_device("an unnamed GPU, as published"), "an unnamed GPU");
}

TEST(Words, ListsAreShort) {
    EXPECT_EQ(list_of({}), "");
    EXPECT_EQ(list_of({7}), "7");
    EXPECT_EQ(list_of({0, 4}), "0 and 4");
    EXPECT_EQ(list_of({0, 2, 4, 6}), "0, 2, 4 and 6");
    EXPECT_EQ(list_of({3, 4, 5}), "3 to 5");
    EXPECT_EQ(list_of({0, 2, 4, 6, 8, 10, 12}), "0, 2, 4, … 12");
    EXPECT_EQ(list_of({0, 1, 4, 6, 8, 10, 13}), "0, 1, … 13");
}

}  // namespace
}  // namespace warptree::study
