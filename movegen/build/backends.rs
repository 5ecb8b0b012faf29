//! Which backends for sliding attacks are compiled, beside the portable one.

use std::env;

/// Says so to the compiler: `backend_avx2` and `backend_avx512`.
///
/// With the feature `every-backend`, or if this does not build for the system that it runs on, both are. If not, only
/// the one that this processor would use: the other takes a tenth of the time that a program takes to build.
pub fn choose() {
    println!("cargo::rustc-check-cfg=cfg(backend_avx2, backend_avx512)");
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() != Ok("x86_64") {
        return;
    }
    let here = env::var_os("HOST") == env::var_os("TARGET");
    let every = env::var_os("CARGO_FEATURE_EVERY_BACKEND").is_some() || !here;
    let best = best();
    for backend in ["avx2", "avx512"] {
        if every || best == Some(backend) {
            println!("cargo::rustc-cfg=backend_{backend}");
        }
    }
}

/// The best that this processor has, by what `src/attacks` asks for.
fn best() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi");
        if avx512 {
            return Some("avx512");
        }
        if is_x86_feature_detected!("avx2") {
            return Some("avx2");
        }
    }
    None
}
