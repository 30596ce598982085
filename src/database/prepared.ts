// Queries on the hottest paths, built and compiled once an engine and then run with new values: building a query costs
// several times what running it does.
import type { Compilable, CompiledQuery } from 'kysely'
import { type Engine, engineOf } from './engine.ts'
import type { Db } from './schema.ts'

/** Stands for a value that is given at each run. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** What a query's builder asks for the place of a value. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name]

/** A query whose rows an engine may keep until the next commit, as `cached` and its values. */
export interface KeptQuery extends CompiledQuery {
  cached?: string
}

let named = 0

/**
 * Makes a query of named values: `build` gets `given('name')` to put where a value goes.
 * What is built must not depend on the values, only on the engine. With `cached` the rows are the same objects for all who ask
 * before the next commit, where the engine tells of commits: for what many ask for alike. They are frozen.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, given: Given<Values>) => Compilable<Row>,
  { cached = false }: { cached?: boolean } = {},
): (db: Db, values: Values) => Promise<{ rows: readonly Row[]; numAffectedRows?: bigint }> {
  const compiled = new Map<Engine, CompiledQuery<Row>>()
  const name = cached ? { cached: String(++named) } : undefined
  return (db, values) => {
    const engine = engineOf(db)
    let query = compiled.get(engine)
    if (!query) {
      query = build(db, (name) => new Parameter(name) as never).compile()
      compiled.set(engine, query)
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof Values] : value,
    )
    return db.executeQuery({ ...query, parameters, ...name })
  }
}
