// What cuobjdump prints, cut down to a few lines.
#include "app/cli/machine_code.hpp"

#include <gtest/gtest.h>

namespace warptree::cli {
namespace {

constexpr std::string_view kDump = R"(
	code for sm_90
		Function : _ZN8warptree7kernels4cuda8harris_4IfEEvNS_5probe4cuda13ElementTraitsIT_E6GlobalES8_
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED"
        /*0150*/                   STS [R7], R0 ;                               /* 0x0000000007007388 */
                                                                                /* 0x0003e20000000800 */
        /*01e0*/              @!P1 FADD R4, R3, R2 ;                            /* 0x0000000203049221 */
        /*01f0*/              @!P1 STS [R7], R4 ;                               /* 0x0000000407009388 */
		Function : _ZN8warptree7kernels4cuda8harris_7IfLj64EEEvNS_5probe4cuda13ElementTraitsIT_E6GlobalES8_j
        /*0200*/              @UP0 STS [R1], R2 ;                               /* 0x0000000407009388 */
		Function : _ZN8warptree7kernels4cuda8harris_7IfLj128EEEvNS_5probe4cuda13ElementTraitsIT_E6GlobalES8_j
        /*0210*/                   LDS.64 R2, [UR4] ;                           /* 0x0000000407009388 */
		Function : _ZN8warptree7kernels4cuda9look_backIfLj8EEEvNS_5probe4cuda13ElementTraitsIT_E6GlobalES8_j
        /*0220*/                   LDG.E.64.STRONG.SYS R2, desc[UR4][R2.64] ;   /* 0x0000000407009388 */
)";

TEST(MachineCode, FindsTheInstructionThatShowsIt) {
    const MachineCode code = MachineCode::parse(kDump);
    EXPECT_EQ(code.find("harris-4", value::Type::kFloat32, 128, "ST", true), "/*01f0*/ @!P1 STS [R7], R4");
    EXPECT_EQ(code.find("harris-4", value::Type::kFloat32, 128, "ST", false), "/*0150*/ STS [R7], R0");
    EXPECT_EQ(code.find("harris-4", value::Type::kInt32, 128, "ST", false), "") << "another instantiation";
    EXPECT_EQ(code.find("harris-4", value::Type::kFloat32, 128, "LDS.64", false), "");
}

TEST(MachineCode, OfOneBlockSizeIsNotAnothers) {
    const MachineCode code = MachineCode::parse(kDump);
    EXPECT_EQ(code.find("harris-7", value::Type::kFloat32, 128, "LDS.64", false), "/*0210*/ LDS.64 R2, [UR4]");
    EXPECT_EQ(code.find("harris-7", value::Type::kFloat32, 64, "LDS.64", false), "");
    EXPECT_EQ(code.find("harris-7", value::Type::kFloat32, 64, "ST", true), "") << "a whole warp's predicate";
}

TEST(MachineCode, AParameterMayBeAnotherNumberThanTheBlock) {
    const MachineCode code = MachineCode::parse(kDump);
    EXPECT_EQ(code.find("look-back", value::Type::kFloat32, 512, "LDG.E.64.STRONG", false),
              "/*0220*/ LDG.E.64.STRONG.SYS R2, desc[UR4][R2.64]");
    EXPECT_EQ(code.find("look-back", value::Type::kInt32, 512, "LDG", false), "");
    EXPECT_NE(code.find("look-back", value::Type::kFloat32, 512, "LDG", false, "[UR4][R2.64]"), "");
    EXPECT_EQ(code.find("look-back", value::Type::kFloat32, 512, "LDG", false, "[UR5]"), "");
}

TEST(MachineCode, AShellReadsAWordWhateverIsInIt) {
    const std::string word = "it's $HOME; `id` \"\\ *";
    EXPECT_EQ(output_of("printf %s " + shell_word(word)), word);
}

TEST(MachineCode, OfAProgramWithoutAnyIsRefused) {
    const auto code = MachineCode::of("/dev/null");
    ASSERT_FALSE(code);
    EXPECT_NE(code.error().message.find("cuobjdump"), std::string::npos);
}

}  // namespace
}  // namespace warptree::cli
