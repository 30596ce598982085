// `select *` and `returning *` on PostgreSQL, with the columns that the tables had when this process started. A release that comes beside
// this one adds columns; PostgreSQL then refuses prepared statements whose result would have another shape ("cached plan must not change
// result type"), which these have not.
import {
  AliasNode,
  IdentifierNode,
  type Kysely,
  type OperationNode,
  PostgresQueryCompiler,
  type ReferenceNode,
  type SelectAllNode,
  sql,
  TableNode,
} from 'kysely'
import type { Database } from './schema.ts'

/** The columns of each table, in their order; empty until they are read. */
export type Columns = Map<string, readonly string[]>

/** Reads the columns of all tables into `columns`. */
export async function readColumns(db: Kysely<Database>, columns: Columns): Promise<void> {
  const { rows } = await sql<{ table: string; names: string[] }>`
    select c.relname as "table", array_agg(a.attname::text order by a.attnum) as names
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
    group by c.relname`.execute(db)
  for (const { table, names } of rows) columns.set(table, names)
}

/** What a query reads or writes: the node of a table, with the name that the query has for it. */
interface Source {
  name: string
  table: string
}

export class NamingCompiler extends PostgresQueryCompiler {
  readonly #columns: Columns

  constructor(columns: Columns) {
    super()
    this.#columns = columns
  }

  protected override visitReference(node: ReferenceNode): void {
    const wanted = node.table?.table.identifier.name
    const isAll = node.column.kind === 'SelectAllNode' && this.#isSelected()
    const source = isAll ? this.#sources()?.find(({ name }) => name === wanted) : undefined
    if (!source || !this.#appendAll([source])) super.visitReference(node)
  }

  protected override visitSelectAll(node: SelectAllNode): void {
    const sources = this.#isSelected() ? this.#sources() : undefined
    if (!sources || !this.#appendAll(sources)) super.visitSelectAll(node)
  }

  /** `count(*)` stays. */
  #isSelected(): boolean {
    return this.parentNode?.kind === 'SelectionNode' && this.nodeStack.at(-3)?.kind !== 'AggregateFunctionNode'
  }

  /** Names every column of these sources; false if they are not all tables whose columns are known. */
  #appendAll(sources: readonly Source[]): boolean {
    const columns = sources.map(({ table }) => this.#columns.get(table))
    if (sources.length === 0 || columns.includes(undefined)) return false
    const names = sources.flatMap(({ name }, at) => (columns[at] ?? []).map((column) => [name, column] as const))
    for (const [at, [name, column]] of names.entries()) {
      if (at > 0) this.append(', ')
      this.visitNode(IdentifierNode.create(name))
      this.append('.')
      this.visitNode(IdentifierNode.create(column))
    }
    return true
  }

  /** The tables of the query around this place; undefined where one of them is no table. */
  #sources(): Source[] | undefined {
    const query = this.nodeStack.findLast(({ kind }) => /^(Select|Insert|Update|Delete)QueryNode$/.test(kind))
    const sources = query && nodesOf(query).map(sourceOf)
    return sources?.every((source) => source !== undefined) ? sources : undefined
  }
}

/** What a query takes its rows from, and first what it writes, as nodes. */
function nodesOf(query: OperationNode): OperationNode[] {
  const part = (name: string): OperationNode | undefined => Reflect.get(query, name)
  const inFrom: readonly OperationNode[] = Reflect.get(part('from') ?? {}, 'froms') ?? []
  const joins: readonly object[] = Reflect.get(query, 'joins') ?? []
  const joined = joins.map((join): OperationNode => Reflect.get(join, 'table'))
  return [part('into'), part('table'), ...inFrom, ...joined, part('using')].filter((node) => node !== undefined)
}

function sourceOf(node: OperationNode): Source | undefined {
  if (TableNode.is(node)) return { name: nameOf(node), table: nameOf(node) }
  if (!AliasNode.is(node) || !TableNode.is(node.node) || !IdentifierNode.is(node.alias)) return undefined
  return { name: node.alias.name, table: nameOf(node.node) }
}

const nameOf = ({ table }: TableNode): string => table.identifier.name
