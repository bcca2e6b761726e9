"""Which processors code can be made for and run here."""

import functools

#: -march names, and what of Linux's flags their code needs. Names of AMD's need
#: `-mno-sse4a` to run elsewhere.
V2 = "ssse3 sse4_1 sse4_2 popcnt cx16"
V3 = V2 + " avx avx2 bmi1 bmi2 f16c fma abm movbe"
V4 = V3 + " avx512f avx512bw avx512cd avx512dq avx512vl"
HASWELL = V3 + " rdrand fsgsbase invpcid"
SKYLAKE = HASWELL + " aes pclmulqdq rdseed adx clflushopt xsavec xsaves"
SKX = SKYLAKE + " avx512f avx512bw avx512cd avx512dq avx512vl pku clwb"
ICELAKE = SKX + (" avx512ifma avx512vbmi avx512_vbmi2 avx512_vnni gfni vaes "
                 "vpclmulqdq avx512_bitalg avx512_vpopcntdq rdpid sha_ni")
ZEN = V3 + " aes pclmulqdq adx rdseed sha_ni clflushopt rdrand fsgsbase xsavec"
ZEN3 = ZEN + " vaes vpclmulqdq clwb rdpid pku invpcid"
ZEN4 = ZEN3 + (" avx512f avx512bw avx512cd avx512dq avx512vl avx512ifma "
               "avx512vbmi avx512_vbmi2 avx512_vnni avx512_bitalg "
               "avx512_vpopcntdq avx512_bf16 gfni")
NEEDS = {
    "x86-64": "", "x86-64-v2": V2, "x86-64-v3": V3, "x86-64-v4": V4,
    "haswell": HASWELL, "skylake": SKYLAKE, "skylake-avx512": SKX,
    "cascadelake": SKX + " avx512_vnni", "icelake-server": ICELAKE,
    "sapphirerapids": ICELAKE + (" avx512_bf16 avx512_fp16 avx_vnni movdiri "
                                 "movdir64b amx_tile serialize"),
    "znver1": ZEN, "znver2": ZEN, "znver3": ZEN3, "znver4": ZEN4,
    "znver5": ZEN4 + " avx_vnni movdiri movdir64b"}


@functools.cache
def flags_here():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("flags"):
                return frozenset(line.split(":")[1].split())
    return frozenset()


@functools.cache
def model():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return "unknown"


#: What no compiler makes of C that does not ask for it.
UNASKED = frozenset("""pku clwb invpcid clflushopt rdrand rdseed fsgsbase xsavec xsaves
    movdiri movdir64b amx_tile serialize rdpid""".split())


@functools.cache
def runnable():
    """The names whose code this machine runs."""
    return tuple(name for name, needs in NEEDS.items()
                 if set(needs.split()) - UNASKED <= flags_here())


def march(name):
    """Flags that make code for the processor."""
    if name.startswith("znver") and "sse4a" not in flags_here():
        return [f"-march={name}", "-mno-sse4a"]
    return [f"-march={name}"]


def fuses(name):
    """Whether a product and a sum are one instruction there."""
    needs = flags_here() if name == "native" else NEEDS[name].split()
    return "fma" in needs
