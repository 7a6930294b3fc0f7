//! The project's audio buses.

use scenewright_contract::{ToolError, suggest};
use scenewright_godot::{Config, Variant};

use crate::base::{Godot, OpenDocument, refused};

const DEFAULT_PATH: &str = "res://default_bus_layout.tres";

/// The file of the audio buses. `Master` is there even when nothing says so.
pub struct BusLayout {
    pub file: OpenDocument,
}

impl Godot<'_> {
    /// The layout that the project's settings name; an empty one when there is no such file yet.
    pub fn bus_layout(&self) -> Result<BusLayout, ToolError> {
        let settings = Config::parse(self.read(&self.path("project.godot")?)?);
        let named = settings.find("audio", "buses/default_bus_layout");
        let named = named.and_then(|path| path.as_str());
        let path = self.path(named.as_deref().unwrap_or(DEFAULT_PATH))?;
        let file = self.resource_file(path, "AudioBusLayout").map_err(|error| {
            error.hint("the setting audio/buses/default_bus_layout names the file")
        })?;
        Ok(BusLayout { file })
    }
}

impl BusLayout {
    /// The names of the buses, in order; a bus without one has an empty name.
    pub fn names(&self) -> Vec<String> {
        let mut names = vec!["Master".to_owned()];
        let section = self.file.document.main_resource();
        for field in section.into_iter().flat_map(|section| section.properties()) {
            let key = field.key();
            let Some((number, rest)) = key.strip_prefix("bus/").and_then(|key| key.split_once('/'))
            else {
                continue;
            };
            // The engine has no more than this many either.
            let Some(number) = number.parse::<usize>().ok().filter(|number| *number < 256) else {
                continue;
            };
            if names.len() <= number {
                names.resize(number + 1, String::new());
            }
            if rest == "name"
                && let Some(name) = field.value().as_str()
            {
                names[number] = name.into_owned();
            }
        }
        names
    }

    /// The number of a bus.
    pub fn find(&self, name: &str) -> Result<usize, ToolError> {
        let names = self.names();
        names.iter().position(|found| found == name).ok_or_else(|| {
            let known = names.iter().map(String::as_str).filter(|name| !name.is_empty());
            let otherwise =
                format!("the buses are {}", known.clone().collect::<Vec<_>>().join(", "));
            ToolError::not_found("bus", name).hint(suggest::did_you_mean(name, known, &otherwise))
        })
    }

    /// How many effects a bus has.
    pub fn effects(&self, bus: usize) -> usize {
        let start = format!("bus/{bus}/effect/");
        let section = self.file.document.main_resource();
        let fields = section.into_iter().flat_map(|section| section.properties());
        let numbers = fields.filter_map(|field| {
            field.key().strip_prefix(&start)?.split('/').next()?.parse::<usize>().ok()
        });
        numbers.max().map_or(0, |last| last.saturating_add(1))
    }

    /// Set properties of a bus, below those that it has.
    pub fn set(&mut self, bus: usize, properties: &[(String, Variant)]) -> Result<(), ToolError> {
        for (key, value) in properties {
            let document = &mut self.file.document;
            let section = document
                .main_resource()
                .ok_or_else(|| ToolError::failed("the layout has no [resource]"))?;
            let keys: Vec<_> = section.properties().map(|field| field.key().into_owned()).collect();
            let section = section.index();
            let above = keys.iter().find(|other| number(other).is_some_and(|number| number > bus));
            let key = format!("bus/{bus}/{key}");
            let above = above.map(String::as_str);
            document.set_property_before(section, &key, value, above).map_err(refused)?;
        }
        Ok(())
    }
}

/// The bus that a property is about.
fn number(key: &str) -> Option<usize> {
    key.strip_prefix("bus/")?.split('/').next()?.parse().ok()
}
