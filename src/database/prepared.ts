// Queries on the hottest paths, built and compiled once per engine and then run with new values: building a query costs several times
// as much as running it.
import { type Compilable, type CompiledQuery, type QueryResult, sql } from 'kysely'
import { among, type Comparison, type Engine, engineOf } from './engine.ts'
import type { Db, Transaction } from './schema.ts'

/** Placeholder for a value that is passed at each run. */
export class Parameter {
  readonly name: string
  readonly #stored: ((value: string) => string) | undefined

  constructor(name: string, stored?: (value: string) => string) {
    this.name = name
    this.#stored = stored
  }

  /** Stands in the text of a statement where its number is written at each run: a limit on SQLite (sqlite-statements.ts). */
  get mark(): string {
    return `\u0001${this.name}\u0001`
  }

  /** What the database gets. */
  of(values: object): unknown {
    const value = Reflect.get(values, this.name)
    return this.#stored ? this.#stored(value) : value
  }
}

/**
 * The builder of a query calls this for the placeholder of a value. `stored` makes of it what the database has, such as the hash of a
 * token: rows that are cached are found by the value itself.
 */
export type Bind<Values> = <Name extends keyof Values & string>(
  name: Name,
  stored?: (value: string) => string,
) => Values[Name]

/** A JSON array of texts as an array of PostgreSQL is written (8.15.2). */
const arrayOf = (json: string): string =>
  `{${(JSON.parse(json) as string[]).map((text) => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`

/**
 * As `among`, for the placeholder of a JSON array of texts. PostgreSQL gets an array, so that it knows the elements when it plans: of a
 * distributed table only the shards that have them are asked.
 */
export function amongGiven<Values>(db: Db, given: Bind<Values>, name: keyof Values & string): Comparison {
  if (engineOf(db) !== 'postgres') return among(db, given(name) as string)
  return [sql`=`, sql`any(cast(${given(name, arrayOf)} as text[]))`]
}

/** A query with more than its SQL. */
export interface KeptQuery extends CompiledQuery {
  /** An engine may cache its rows until the next commit, by this key. */
  cached?: string
  /** See `prepared`. */
  pipelined?: boolean
}

interface Options {
  /**
   * All callers before the next commit share the same row objects, if the engine reports commits: for rows that many callers request.
   * They are frozen.
   */
  cached?: boolean
  /**
   * For a statement with a result that its callers do not read. On PostgreSQL a transaction sends it and does not wait: an error is
   * that of the next statement that is waited for, or of the commit.
   */
  pipelined?: boolean
}

/** Rows of a query that is known to the engine by its text alone. */
export type AnyRows = QueryResult<never>

/** Runs queries that only read, outside of a transaction. */
interface ReadAtOnce {
  /** The cached rows of a key. */
  find(key: string): AnyRows | undefined
  read(query: KeptQuery): AnyRows | Promise<AnyRows>
  /** Rows that are made of several queries, cached as those of one. */
  fill(key: string, read: () => Promise<AnyRows>): Promise<AnyRows>
}

const readers = new WeakMap<Db, ReadAtOnce>()

/**
 * Prepared queries that only read are run by `reader` from now on, outside of transactions: they need none of the library's steps to a
 * connection, which take longer than a row that is cached.
 */
export function readAtOnce(db: Db, reader: ReadAtOnce): void {
  readers.set(db, reader)
}

/** The rows that `read` makes of queries, outside of transactions kept by their key until a commit changes what these read. They are frozen. */
export async function keptUntilCommit<Row extends object>(
  db: Db,
  key: string,
  read: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const reader = readers.get(db)
  if (!reader) return read()
  const kept = async () => ({ rows: (await read()) as never[] })
  return (reader.find(key) ?? (await reader.fill(key, kept))).rows
}

/** A value that is longer, such as a made-up token, is in a key as the database gets it. */
const KEY_LENGTH = 64

let named = 0

/**
 * Makes a query of named values: `build` gets `given('name')` as the placeholder of a value. The built query must depend on the
 * engine only, not on the values.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, given: Bind<Values>) => Compilable<Row>,
  { cached = false, pipelined = false }: Options = {},
): (db: Db, values: Values) => Promise<{ rows: readonly Row[]; numAffectedRows?: bigint }> {
  const compiled = new Map<Engine, EngineQuery<Row>>()
  const id = cached ? String(++named) : undefined
  return async (db, values) => {
    const engine = engineOf(db)
    let statement = compiled.get(engine)
    if (!statement) {
      const given: Parameter[] = []
      const query = build(db, (name, stored) => {
        const parameter = new Parameter(name, stored)
        given.push(parameter)
        return parameter as never
      }).compile()
      statement = new EngineQuery(query, { id, pipelined, given })
      compiled.set(engine, statement)
    }
    // A transaction is another object than its database.
    const reader = statement.onlyReads ? readers.get(db) : undefined
    const key = statement.shortKey(values)
    const found = key && reader?.find(key)
    if (found) return found
    const query = statement.with(values, key)
    return reader ? reader.read(query) : db.executeQuery<Row>(query)
  }
}

/** What a prepared query is made with; `given` are its placeholders. */
interface EngineOptions {
  id: string | undefined
  pipelined: boolean
  given: readonly Parameter[]
}

/** So many texts of one query, which has another for each limit. */
const TEXTS = 100

/** The SQL of a prepared query on one engine. */
class EngineQuery<Row> {
  readonly onlyReads: boolean
  readonly #query: CompiledQuery<Row>
  readonly #options: EngineOptions
  /** The placeholders that are written into the text. */
  readonly #written: readonly Parameter[]
  readonly #texts = new Map<string, string>()
  /** The one placeholder, if there are no others. */
  readonly #only: Parameter | undefined

  constructor(query: CompiledQuery<Row>, options: EngineOptions) {
    this.#query = query
    this.#options = options
    this.onlyReads = onlyReads(query)
    this.#written = options.given.filter(({ mark }) => query.sql.includes(mark))
    const parameters = query.parameters.filter((value) => value instanceof Parameter)
    if (parameters.length === 1 && this.#written.length === 0) this.#only = parameters[0]
  }

  /** The key of rows that depend on one short text, for which no value has to be made. */
  shortKey(values: object): string | undefined {
    const { id } = this.#options
    const value = id && this.#only && Reflect.get(values, this.#only.name)
    return typeof value === 'string' && value.length <= KEY_LENGTH ? `${id}"${value}` : undefined
  }

  /** The query with its values. */
  with(values: object, shortKey: string | undefined): KeptQuery & CompiledQuery<Row> {
    const { id, pipelined } = this.#options
    const parameters = this.#query.parameters.map((value) => (value instanceof Parameter ? value.of(values) : value))
    const written = this.#written.map((parameter) => wholeNumber(parameter.of(values)))
    const cached = id && (shortKey ?? `${id} ${written} ${JSON.stringify(parameters)}`)
    const sql = written.length === 0 ? this.#query.sql : this.#textWith(written)
    return { ...this.#query, sql, parameters, ...(cached && { cached }), ...(pipelined && { pipelined }) }
  }

  #textWith(numbers: readonly number[]): string {
    const key = numbers.join()
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = this.#written.reduce((sql, { mark }, n) => sql.replaceAll(mark, String(numbers[n])), this.#query.sql)
    if (this.#texts.size >= TEXTS) this.#texts.clear()
    this.#texts.set(key, text)
    return text
  }
}

function wholeNumber(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new TypeError('A limit is a whole number')
  return value as number
}

/** The same for a query with variants: each is built once, and known by its key. */
export function preparedEach<Variant, Values extends object, Row>(
  keyOf: (variant: Variant) => string,
  build: (db: Db, variant: Variant, given: Bind<Values>) => Compilable<Row>,
  options?: Options,
): (db: Db, variant: Variant, values: Values) => Promise<{ rows: readonly Row[] }> {
  const queries = new Map<string, ReturnType<typeof prepared<Values, Row>>>()
  return (db, variant, values) => {
    const key = keyOf(variant)
    let query = queries.get(key)
    if (!query) {
      query = prepared((on, given) => build(on, variant, given), options)
      queries.set(key, query)
    }
    return query(db, values)
  }
}

/** Runs a query that is built for one call and has a result that nothing reads: pipelined, as `prepared` says. */
export async function pipeline(db: Db, query: { compile(db: Db): CompiledQuery }): Promise<void> {
  const pipelined: KeptQuery = { ...query.compile(db), pipelined: true }
  await db.executeQuery(pipelined)
}

/**
 * On PostgreSQL a transaction waits no longer than this for a row that another one has locked: its error is that of a busy database.
 * On SQLite it has all rows from its beginning.
 */
export async function waitForLocks(db: Transaction, wait: { atMostMilliseconds: number } | 'as usual'): Promise<void> {
  if (engineOf(db) !== 'postgres') return
  const milliseconds = wait === 'as usual' ? sql`default` : sql.lit(wait.atMostMilliseconds)
  await pipeline(db, sql`set local lock_timeout to ${milliseconds}`)
}

/** Whether a query outside of a transaction needs no write connection. */
export function onlyReads({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|pragma)\b/i.test(sql))
}
