//! Hooks over the town: what they see, stop and change.

use scenewright_world::types::Type;
use scenewright_world::{Refused, Value};

use super::*;
use crate::tests::town;
use crate::{Limits, eval};

const SET_ACTIVE: &str = "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)";

fn lines(world: &World) -> Vec<String> {
    let line = |line: &scenewright_world::log::Line| {
        format!("{} {}: {}", line.level, line.source, line.message)
    };
    world.log().tail(50).map(line).collect()
}

fn run(world: &mut World, source: &str) -> String {
    eval(world, source, &Limits::default())
        .map_or_else(|error| error.to_string(), |given| given.text)
}

fn lamp(world: &World) -> Value {
    let lamp = world.find("Lamp").or_else(|| world.roots().first().copied());
    Value::Object(lamp.unwrap())
}

fn call_static(
    world: &mut World,
    type_name: &str,
    method: &str,
    args: Vec<Value>,
) -> Result<Value, Refused> {
    invoke::budgeted(world, |world, budget| world.call_static(type_name, method, args, budget))
}

fn get_property(world: &mut World, target: &Value, name: &str) -> Result<Value, Refused> {
    invoke::budgeted(world, |world, budget| world.get_property(target, name, budget))
}

#[test]
fn a_hook_is_added_by_name_or_signature() {
    let mut world = town();
    let hook = add(&mut world, "UnityEngine.GameObject", "SetActive").unwrap();
    assert_eq!((hook.signature.as_str(), hook.enabled), (SET_ACTIVE, true));
    assert_eq!(
        hook.source,
        "static void Postfix(UnityEngine.GameObject __instance, System.Boolean value)\n{\n    \
         Debug.Log($\"System.Void UnityEngine.GameObject::SetActive(System.Boolean value)\\n\
         - __instance: {__instance}\\n- value: {value}\");\n}\n"
    );
    assert!(of(&world).find(SET_ACTIVE).is_some());
    assert!(of(&world).find(&SET_ACTIVE.replace(" value", "")).is_some());
    for method in ["SetActive", SET_ACTIVE, &SET_ACTIVE.replace(" value", "")] {
        let again = add(&mut world, "UnityEngine.GameObject", method);
        assert_eq!(again.unwrap_err().to_string(), "Method is already hooked");
    }
    remove(&mut world, &SET_ACTIVE.replace(" value", "")).unwrap();
    assert_eq!(remove(&mut world, SET_ACTIVE), Err(HookError::NotFound));
    add(&mut world, "UnityEngine.GameObject", &SET_ACTIVE.replace(" value", "")).unwrap();
    assert_eq!(of(&world).list().len(), 1);
}

#[test]
fn what_cannot_be_hooked_says_why() {
    let mut world = town();
    let mut error = |ty: &str, method: &str| {
        let error = add(&mut world, ty, method).unwrap_err();
        (error.to_string(), error.hint())
    };
    assert_eq!(error("Nope", "x"), ("Type not found".to_owned(), None));
    assert_eq!(error("UnityEngine.GameObject", "Fly"), ("Method not found".to_owned(), None));
    assert_eq!(error("UnityEngine.GameObject", "A::B(C)"), ("Method not found".to_owned(), None));
    assert_eq!(
        error("Game.Enemy", "Hit"),
        (
            "Multiple overloads found for 'Game.Enemy.Hit'.".to_owned(),
            Some("pass the full signature in method (example: System.Void Game.Enemy::Hit(System.Int32 damage))".to_owned())
        )
    );
    assert_eq!(set_enabled(&mut world, "x", true), Err(HookError::NotFound));
    assert_eq!(set_source(&mut world, "x", ""), Err(HookError::NotFound));
    let one = add(&mut world, "Game.Enemy", "System.Void Game.Enemy::Hit(System.Single)").unwrap();
    assert_eq!(one.signature, "System.Void Game.Enemy::Hit(System.Single part)");
}

#[test]
fn calls_are_logged() {
    let mut world = town();
    add(&mut world, "UnityEngine.GameObject", "SetActive").unwrap();
    let target = lamp(&world);
    call(&mut world, &target, "SetActive", vec![Value::Bool(false)]).unwrap();
    let wanted = format!(
        "info hook: {SET_ACTIVE}\n- __instance: Lamp (UnityEngine.GameObject)\n- value: False"
    );
    assert_eq!(lines(&world), [wanted]);
    // The console goes through the same door.
    assert_eq!(run(&mut world, "GameObject.Find(\"House\").SetActive(false);"), "");
    assert_eq!(lines(&world).len(), 2);
    set_enabled(&mut world, SET_ACTIVE, false).unwrap();
    call(&mut world, &target, "SetActive", vec![Value::Bool(true)]).unwrap();
    assert_eq!(lines(&world).len(), 2);
    assert!(world.find("Lamp").is_some());
}

#[test]
fn a_prefix_can_stop_and_change_the_call() {
    let mut world = town();
    add(&mut world, "UnityEngine.GameObject", "SetActive").unwrap();
    let source = "static bool Prefix(GameObject __instance, bool value) { return __instance.name != \"Lamp\"; }";
    set_source(&mut world, SET_ACTIVE, source).unwrap();
    assert_eq!(
        run(&mut world, "var g = GameObject.Find(\"Lamp\"); g.SetActive(false); g.activeSelf"),
        "True"
    );
    assert_eq!(
        run(&mut world, "var g = GameObject.Find(\"Ork\"); g.SetActive(false); g.activeSelf"),
        "False"
    );
    // Code that writes nothing still leaves a trace.
    assert_eq!(lines(&world), vec![format!("info hook: {SET_ACTIVE}"); 2]);
    let source = "static void Prefix(ref bool value) { value = !value; }\nstatic void Postfix(GameObject __instance, bool __0) => Debug.LogWarning(__instance.name + __0);";
    set_source(&mut world, SET_ACTIVE, source).unwrap();
    assert_eq!(
        run(&mut world, "var g = GameObject.Find(\"Lamp\"); g.SetActive(true); g.activeSelf"),
        "False"
    );
    assert_eq!(lines(&world).last().unwrap(), "warn hook: LampFalse");
}

#[test]
fn a_postfix_can_change_the_result() {
    let mut world = town();
    let hook = add(&mut world, "Game.Enemy", "GetLevel").unwrap();
    assert_eq!(hook.signature, "System.Int32 Game.Enemy::GetLevel()");
    let source = "static void Postfix(Enemy __instance, ref int __result) { __result = __instance.health / 10; }";
    set_source(&mut world, &hook.signature, source).unwrap();
    let source = format!("static bool Prefix() => false;\n{source}");
    set_source(&mut world, &hook.signature, &source).unwrap();
    assert_eq!(
        run(&mut world, "GameObject.Find(\"Ork\").GetComponent<Enemy>().GetLevel() + 1"),
        "11"
    );
    assert_eq!(lines(&world), [format!("info hook: {}", hook.signature)]);
}

#[test]
fn a_wrong_source_is_kept_but_the_old_code_runs() {
    let mut world = town();
    add(&mut world, "UnityEngine.GameObject", "SetActive").unwrap();
    set_source(&mut world, SET_ACTIVE, "static bool Prefix() => false;").unwrap();
    let wrong = "static bool Prefix() => nope;";
    let error = set_source(&mut world, SET_ACTIVE, wrong).unwrap_err();
    assert!(
        error.to_string().starts_with("Unable to compile the code: (1,25): error CS0103"),
        "{error}"
    );
    assert_eq!(of(&world).find(SET_ACTIVE).unwrap().source, wrong);
    assert_eq!(
        run(&mut world, "var g = GameObject.Find(\"Lamp\"); g.SetActive(false); g.activeSelf"),
        "True"
    );
    let mut refused =
        |source: &str| set_source(&mut world, SET_ACTIVE, source).unwrap_err().to_string();
    assert!(refused("var x = 1;").contains("declare static bool Prefix"));
    assert!(
        refused("static void Postfix(int nope) { }").contains("no parameter 'nope'; it has: value")
    );
    assert!(refused("static void Transpiler() { }").contains("'Transpiler' is not supported"));
}

#[test]
fn a_hook_that_calls_its_method_ends() {
    let mut world = town();
    add(&mut world, "UnityEngine.GameObject", "SetActive").unwrap();
    let source = "static void Postfix(GameObject __instance) { __instance.SetActive(true); Debug.Log(\"again\"); }";
    set_source(&mut world, SET_ACTIVE, source).unwrap();
    assert_eq!(
        run(&mut world, "var g = GameObject.Find(\"Lamp\"); g.SetActive(false); g.activeSelf"),
        "True"
    );
    assert_eq!(lines(&world), ["info hook: again"]);
    // One that fails or never ends is a line in the log, and the method has run.
    let source = "static void Postfix() { while (true) { } }";
    set_source(&mut world, SET_ACTIVE, source).unwrap();
    let target = lamp(&world);
    call(&mut world, &target, "SetActive", vec![Value::Bool(false)]).unwrap();
    let last = lines(&world).last().unwrap().clone();
    assert!(
        last.starts_with("error hook: Postfix of System.Void") && last.contains("TimeoutException"),
        "{last}"
    );
    assert_eq!(world.find("Lamp"), None);
}

#[test]
fn properties_are_methods_too() {
    let mut world = town();
    let hook = add(&mut world, "UnityEngine.Light", "set_enabled").unwrap();
    assert_eq!(
        hook.signature,
        "System.Void UnityEngine.Behaviour::set_enabled(System.Boolean value)"
    );
    assert_eq!(
        run(
            &mut world,
            "var l = GameObject.Find(\"Lamp\").GetComponent<Light>(); l.enabled = false; l.enabled"
        ),
        "False"
    );
    assert_eq!(lines(&world).len(), 1);
    let hook = add(&mut world, "UnityEngine.Transform", "get_position").unwrap();
    set_source(
        &mut world,
        &hook.signature,
        "static void Postfix(ref Vector3 __result) { __result.y = 42; }",
    )
    .unwrap();
    assert_eq!(
        run(&mut world, "GameObject.Find(\"Lamp\").transform.position"),
        "(2.00, 42.00, 0.00)"
    );
    let target = lamp(&world);
    let transform = get_property(&mut world, &target, "transform").unwrap();
    assert_eq!(
        get_property(&mut world, &transform, "position").unwrap().plain_text(),
        "(2.00, 42.00, 0.00)"
    );
    set_property(&mut world, &target, "name", Value::text("L")).unwrap();
    assert!(world.find("L").is_some());
    let hook = add(&mut world, "UnityEngine.GameObject", "Find").unwrap();
    assert_eq!(
        hook.signature,
        "static UnityEngine.GameObject UnityEngine.GameObject::Find(System.String name)"
    );
    set_source(
        &mut world,
        &hook.signature,
        "static bool Prefix(string name, ref GameObject __result) => name != \"secret\";",
    )
    .unwrap();
    assert_eq!(
        run(&mut world, "GameObject.Find(\"secret\") == null && GameObject.Find(\"Ork\") != null"),
        "True"
    );
}

#[test]
fn methods_are_listed_by_signature() {
    let world = town();
    let all = methods(&world, "UnityEngine.GameObject", "").unwrap();
    assert!(all.is_sorted_by_key(|(_, signature)| signature.clone()));
    assert!(all.contains(&("SetActive".to_owned(), SET_ACTIVE.to_owned())));
    assert!(all.iter().any(|(name, _)| name == "GetInstanceID"), "inherited ones are there");
    let some = methods(&world, "UnityEngine.GameObject", "setactive(system.b").unwrap();
    assert_eq!(some, [("SetActive".to_owned(), SET_ACTIVE.to_owned())]);
    assert_eq!(methods(&world, "Nope", ""), Err(HookError::NoType));
    let hits = methods(&world, "Game.Enemy", "hit").unwrap();
    assert_eq!(hits.len(), 2);
}

#[test]
fn methods_are_called_by_name() {
    let mut world = town();
    let ork = Value::Object(world.find("Ork").unwrap());
    let on_ork =
        |world: &mut World, method: &str, args: Vec<Value>| call(world, &ork, method, args);
    assert_eq!(on_ork(&mut world, "CompareTag", vec![Value::text("Enemy")]), Ok(Value::Bool(true)));
    assert_eq!(on_ork(&mut world, "Nope", vec![]), Err(Refused::Other("Method not found".into())));
    assert_eq!(
        on_ork(&mut world, "SetActive", vec![Value::text("x")]),
        Err(Refused::Other("Method overload not found".into()))
    );
    let not_run = Err(Refused::NotRun("Game.Enemy.GetLevel".into()));
    assert_eq!(on_ork(&mut world, "SendMessage", vec![Value::text("GetLevel")]), not_run);
    assert_eq!(on_ork(&mut world, "SendMessage", vec![Value::text("Jump")]), Ok(Value::Null));
    assert_eq!(lines(&world), ["error unity: SendMessage Jump has no receiver!"]);
    let light =
        call(&mut world, &ork, "AddComponent", vec![Value::text("UnityEngine.Light")]).unwrap();
    assert_eq!(call(&mut world, &ork, "GetComponent", vec![Value::text("Light")]), Ok(light));
    let found = call_static(&mut world, "UnityEngine.GameObject", "Find", vec![Value::text("Ork")]);
    assert_eq!(found, Ok(ork.clone()));
    call_static(&mut world, "UnityEngine.Object", "Destroy", vec![ork.clone()]).unwrap();
    assert_eq!(call(&mut world, &ork, "GetInstanceID", vec![]), Err(Refused::NotFound));
}

/// Every method of the engine's table does something here.
#[test]
fn the_table_of_the_engine_runs() {
    let mut bodiless = Vec::new();
    let classes: Vec<std::sync::Arc<Type>> = town().types().all().cloned().collect();
    for class in classes.iter().filter(|class| &*class.full_name != "Game.Enemy") {
        for method in &class.methods {
            let mut world = town();
            let lamp = lamp(&world);
            let transform = get_property(&mut world, &lamp, "transform").unwrap();
            let args = method.parameters.iter().map(|(ty, _)| match &**ty {
                "System.Boolean" => Value::Bool(true),
                "System.Int32" => Value::Int(0),
                "System.Single" => Value::Float(1.0),
                "System.String" => Value::text("Ork"),
                "System.Type" => Value::text("UnityEngine.Light"),
                "UnityEngine.Vector3" => Value::Vec3(scenewright_world::math::Vec3::UP),
                "UnityEngine.Quaternion" => Value::Quat(scenewright_world::math::Quat::IDENTITY),
                "UnityEngine.Transform" => Value::Null,
                _ => lamp.clone(),
            });
            let args: Vec<Value> = args.collect();
            let target =
                if &*class.full_name == "UnityEngine.GameObject" { lamp } else { transform };
            let given = match method.is_static {
                true => call_static(&mut world, &class.full_name, &method.name, args),
                false => call(&mut world, &target, &method.name, args),
            };
            if let Err(Refused::NotRun(name)) = given {
                bodiless.push(name);
            }
        }
    }
    assert_eq!(bodiless, Vec::<String>::new());
}

#[test]
fn hooks_end_somewhere() {
    let mut types = crate::tests::types();
    let methods = (0..=MAX_HOOKS).map(|number| scenewright_world::types::Method {
        name: format!("M{number}").into(),
        returns: "Unknown+Type".into(),
        parameters: vec![("Other.Unknown".into(), "x".into())],
        is_static: true,
        is_virtual: false,
    });
    types.add(Type {
        full_name: "Many".into(),
        base: None,
        assembly: "Assembly-CSharp".into(),
        is_static: true,
        members: Vec::new(),
        methods: methods.collect(),
    });
    let mut world = World::new(std::sync::Arc::new(types));
    for number in 0..MAX_HOOKS {
        add(&mut world, "Many", &format!("M{number}")).unwrap();
    }
    assert_eq!(add(&mut world, "Many", &format!("M{MAX_HOOKS}")), Err(HookError::Full));
    assert!(
        of(&world).list()[0].source.starts_with("static void Postfix(object x, object __result)")
    );
    let stand_in = "static bool Prefix() => false;";
    let signature = of(&world).list()[0].signature.clone();
    set_source(&mut world, &signature, stand_in).unwrap();
    assert_eq!(run(&mut world, "Many.M0(null) == null"), "True");
}
