// Queries on the hottest paths, built and compiled once per engine and then run with new values: building a query costs several times
// as much as running it.
import type { Compilable, CompiledQuery } from 'kysely'
import { type Engine, engineOf } from './engine.ts'
import type { Db } from './schema.ts'

/** Placeholder for a value that is passed at each run. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The builder of a query calls this for the placeholder of a value. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name]

/** A query with rows that an engine may cache until the next commit, keyed by `cached` and its values. */
export interface KeptQuery extends CompiledQuery {
  cached?: string
}

let named = 0

/**
 * Makes a query of named values: `build` gets `given('name')` as the placeholder of a value. The built query must depend on the
 * engine only, not on the values. With `cached`, all callers before the next commit share the same row objects, if the engine reports
 * commits: for rows that many callers request. They are frozen.
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
