// Rules of workload identities, without input or output.
import { apiScopes } from '../../contract/scopes.ts'

export const MAX_WORKLOADS = 20
export const MAX_CLAIMS = 5

/** What a program can do by itself: it signs in nowhere else, and nothing renews its tokens but its issuer. */
export const workloadScopes = apiScopes

export const WORKLOAD_SECONDS = 900

/** The client of its grants: no client can have this id, and its owner named it, so it is not one that this server vouches for. */
export const clientOf = (id: string): string => `urn:workload:${id}`

/** Whether a token has a claim with this text; of a list one is enough. */
const has = (claim: unknown, text: string): boolean =>
  [claim].flat().some((one) => ['string', 'number', 'boolean'].includes(typeof one) && String(one) === text)

/** Whether the claims of a verified token are those of a program. */
export const isOf = (
  token: Readonly<Record<string, unknown>>,
  { subject, claims }: { subject: string; claims: Readonly<Record<string, string>> },
): boolean =>
  token['sub'] === subject &&
  Object.entries(claims).every(([name, text]) => Object.hasOwn(token, name) && has(token[name], text))
