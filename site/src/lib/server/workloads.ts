// Workload identities on the page of tokens: what it shows of them, and what its forms ask for.
import { workloadScopes } from '../../../../src/oauth/workloads/rules.ts'
import { field } from './answers.ts'

export interface Workload {
  id: string
  name: string
  issuer: string
  subject: string
  /** What it may do, in sentences. */
  may: readonly string[]
  createdAt: string
  lastUsedAt: string | null
}

/** Lines of `name=value`; what has no `=` is refused by the API, as a claim without a value. */
const claimsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line): [string, string] => {
        const [name = '', ...value] = line.split('=')
        return [name.trim(), value.join('=').trim()]
      }),
  )

/** What the form for a new one asks for. */
export const workloadIn = (form: FormData) => ({
  name: field(form, 'name'),
  issuer: field(form, 'issuer'),
  subject: field(form, 'subject'),
  claims: claimsIn(field(form, 'claims')),
  scopes: workloadScopes.filter((name) => form.has(`scope ${name}`)),
})
