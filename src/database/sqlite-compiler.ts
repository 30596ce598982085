// Statements for SQLite.
import { type LimitNode, SqliteQueryCompiler, ValueNode } from 'kysely'

/**
 * Writes a limit as a number. SQLite makes its plan for the limit that is bound, so it would prepare the statement again for every execution, which
 * takes up to a hundred times as long as to read a short list.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node
    const value = ValueNode.is(limit) ? limit.value : undefined
    if (Number.isSafeInteger(value)) this.append(`limit ${value}`)
    else super.visitLimit(node)
  }
}
