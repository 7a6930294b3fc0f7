//! Tools for Unity projects, by theme; what they stand on is in [`base`].

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

pub mod addressables;
pub mod animation;
pub mod animator;
pub mod api;
pub mod asmdef;
pub mod asset;
pub mod audio;
pub mod base;
pub mod batch;
pub mod build;
pub mod cinemachine;
pub mod component;
pub mod conventions;
pub mod editor;
pub mod go;
pub mod input;
pub mod localization;
pub mod material;
pub mod mesh;
pub mod packages;
pub mod prefab;
pub mod runtime;
pub mod scene;
pub mod script;
pub mod sdk;
pub mod settings;
pub mod sobj;
#[cfg(test)]
mod testing;
pub mod texture;
pub mod timeline;
pub mod ui;
pub mod unity;
pub mod yaml;

pub use base::{ENGINE, UnityProject};
