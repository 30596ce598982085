// Statements of one connection to SQLite, prepared once each, and reads whose rows are cached until a commit.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type LimitNode,
  type OperationNode,
  type RawNode,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import type { TraceStatement } from '../runtime/tracing.ts'
import type { Changes } from './commit-cache.ts'
import { CACHED_ROWS, CommitCache, freezeRows } from './commit-cache.ts'
import { type AnyRows, type KeptQuery, Parameter } from './prepared.ts'

// Statements as they are written for SQLite.

const ENDS_WITH_LIMIT = /\blimit\s+$/i

/**
 * Writes a limit as a number, in queries that are built and in raw ones. SQLite makes its plan for the limit that is bound, so it would prepare the
 * statement again for every execution, which takes up to a hundred times as long as to read a short list. A prepared query writes it at each run.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit ')
    this.#visitLimited(limit)
  }

  protected override visitRaw({ sqlFragments, parameters }: RawNode): void {
    for (const [n, fragment] of sqlFragments.entries()) {
      this.append(fragment)
      const parameter = parameters[n]
      if (!parameter) continue
      if (ENDS_WITH_LIMIT.test(fragment)) this.#visitLimited(parameter)
      else this.visitNode(parameter)
    }
  }

  #visitLimited(limit: OperationNode): void {
    const value = ValueNode.is(limit) ? limit.value : undefined
    if (value instanceof Parameter) this.append(value.mark)
    else if (Number.isSafeInteger(value)) this.append(String(value))
    else this.visitNode(limit)
  }
}

const CACHED_STATEMENTS = 500

interface PreparedStatement {
  statement: StatementSync
  /** Makes a record of a row's values; undefined for a statement that gives no rows. */
  toRecord: ((row: object) => never) | undefined
}

/** Prepared statements of one connection, kept by their SQL. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #prepared = new Map<string, PreparedStatement>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  prepare(sql: string): PreparedStatement {
    let prepared = this.#prepared.get(sql)
    if (!prepared) {
      if (this.#prepared.size >= CACHED_STATEMENTS) this.#prepared.clear()
      const statement = this.#db.prepare(sql)
      const columns = statement.columns().map(({ name }) => name)
      if (columns.length > 0) statement.setReturnArrays(true)
      // The last row may be one of the index of full text, which has numbers above 2^53.
      else statement.setReadBigInts(true)
      prepared = { statement, toRecord: columns.length > 0 ? recordMaker(columns) : undefined }
      this.#prepared.set(sql, prepared)
    }
    return prepared
  }

  execute({ sql, parameters }: CompiledQuery): AnyRows {
    const { statement, toRecord } = this.prepare(sql)
    const values = parameters as SQLInputValue[]
    if (toRecord) return { rows: statement.all(...values).map(toRecord) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  close(): void {
    this.#prepared.clear()
    if (this.#db.isOpen) this.#db.close()
  }
}

/** Each statement of the connection is a span from now on. */
export function traceExecution(statements: Statements, trace: TraceStatement): void {
  const execute = statements.execute.bind(statements)
  statements.execute = (query) => trace(query.sql, () => execute(query))
}

/** Reads outside of transactions; some results are cached (prepared.ts). */
export class Reader extends Statements {
  readonly #cached: CommitCache<AnyRows>

  constructor(db: DatabaseSync, changes: Changes) {
    super(db)
    this.#cached = new CommitCache(changes, CACHED_ROWS)
  }

  find(key: string): AnyRows | undefined {
    return this.#cached.find(key)
  }

  read(query: KeptQuery): AnyRows {
    const { cached } = query
    if (cached === undefined) return this.execute(query)
    const found = this.#cached.find(cached)
    if (found) return found
    return this.#cached.fill(cached, (keep) => {
      const result = this.execute(query)
      keep(result, freezeRows(result.rows))
      return result
    })
  }

  fill(key: string, read: () => Promise<AnyRows>): Promise<AnyRows> {
    return this.#cached.fill(key, async (keep) => {
      const result = await read()
      keep(result, freezeRows(result.rows))
      return result
    })
  }
}

/**
 * The objects of SQLite's binding are dictionaries without a prototype: copying and serialising them takes several times as long as
 * reading the row. A literal with all columns gives ordinary objects.
 */
function recordMaker(columns: string[]): (row: object) => never {
  const fields = columns.map((name, index) => `${JSON.stringify(name)}: row[${index}]`)
  return new Function('row', `return { ${fields.join(', ')} }`) as (row: object) => never
}
