// Statements for SQLite.
import { type LimitNode, type OperationNode, type RawNode, SqliteQueryCompiler, ValueNode } from 'kysely'
import { Parameter } from './prepared.ts'

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
