// What an expression of the search means, said without an index.
import type { Expression } from '../src/search/query.ts'

/** Whether a document with these terms meets it. */
export function isMet(expression: Expression, by: ReadonlySet<string>): boolean {
  if (typeof expression === 'string') return by.has(expression)
  if ('any' in expression) return expression.any.some((one) => isMet(one, by))
  if ('all' in expression) return expression.all.every((one) => isMet(one, by))
  return expression.most.filter((one) => !isMet(one, by)).length <= 1
}
