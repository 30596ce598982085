// Scopes that a person leaves out where they decide: of what an app asks for, the token has what was left in (RFC 6749, 3.3).
import { Problem } from '../contract/problem.ts'
import { isScope, scopeNames } from '../contract/scopes.ts'

/** The scopes in a form of the page; undefined for a form without the field, as programs send it. */
export const scopesChosen = (form: URLSearchParams): string[] | undefined =>
  form.has('scope') ? form.getAll('scope').filter(Boolean) : undefined

/** What is left of the scopes that were asked for; all of them, where nothing was chosen. Nothing else is ever added. */
export function scopeLeft(asked: string, chosen: readonly string[] | undefined): string {
  if (!chosen) return asked
  const left = scopeNames(asked).filter((name) => isScope(name) && chosen.includes(name))
  if (left.length === 0) throw new Problem('invalid_request', 'Leave at least one permission in, or deny the request')
  return left.join(' ')
}
