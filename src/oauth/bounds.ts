// The bounds that a client asks for and those that a person chooses, where they decide.
import type { errors as Errors } from 'oidc-provider'
import {
  BOUNDS_TYPE,
  boundsAsked,
  boundsOfPreset,
  detailsOf,
  type GrantBounds,
  isBoundsAsked,
  isPreset,
  type Preset,
  presets,
} from '../contract/bounds.ts'
import { Problem } from '../contract/problem.ts'
import { strengthClaims } from '../contract/sign-in-strength.ts'
import type { Db } from '../database/schema.ts'
import { findBounds } from '../identity/grant-queries.ts'
import { after } from '../runtime/clock.ts'
import { parseJson } from '../runtime/untyped.ts'
import { boundsIn, isJwt } from './jwt.ts'

/** The choice of what the app asks for; without that, of nothing. */
export const ASKED = 'asked'

/** A choice of the page, which has the words. */
export interface BoundChoice {
  name: Preset | typeof ASKED
  /** What the app asks for, where it is that choice. */
  asked?: GrantBounds
  chosen: boolean
}

/** What a person can choose from: what the app asks for first, if it asks. */
export function boundChoices(asked: string | null, now: string): BoundChoice[] {
  const bounds = asked === null ? undefined : boundsAsked(asked, now)
  const names = Object.keys(presets).filter(isPreset)
  const own = names.map((name) => ({ name, chosen: !bounds && name === 'none' }))
  return bounds ? [{ name: ASKED, asked: bounds, chosen: true }, ...own] : own
}

/** The bounds of a choice, from now on. */
export function boundsChosen(choice: string, asked: string | null, now: string): GrantBounds | undefined {
  if (choice === ASKED) return asked === null ? undefined : boundsAsked(asked, now)
  if (!isPreset(choice))
    throw new Problem('invalid_request', `bounds: must be one of ${Object.keys(presets).join(', ')}`)
  return boundsOfPreset(choice satisfies Preset, now)
}

interface StoredBounds {
  bounds: string | null
}

/** Whether the time is over for which an account let a client in. */
export function hasEnded(grant: StoredBounds, now: string): boolean {
  const until = boundsIn(grant.bounds)?.until
  return until !== undefined && until <= now
}

/** When a token ends that lasts until `expiresAt` by itself: with its grant at the latest. */
export function endOf(expiresAt: string, bounds: GrantBounds | undefined): string {
  const until = bounds?.until
  return until !== undefined && until < expiresAt ? until : expiresAt
}

/** The same of a grant as it is stored. */
export const endWith = (expiresAt: string, grant: StoredBounds): string => endOf(expiresAt, boundsIn(grant.bounds))

/** A token response that says what was granted (RFC 9396, 7), and when it ends. A JWT says that itself (interface.md, section 5). */
export function withDetails(response: string, grant: StoredBounds, now: string): string {
  const bounds = boundsIn(grant.bounds)
  if (!bounds) return response
  const told = parseJson<{ access_token: string; expires_in: number }>(response)
  const end = Date.parse(endOf(after(now, told.expires_in), bounds))
  const left = isJwt(told.access_token) ? told.expires_in : Math.max(1, Math.floor((end - Date.parse(now)) / 1000))
  return JSON.stringify({ ...told, expires_in: left, authorization_details: detailsOf(bounds, now) })
}

/** Refuses `authorization_details` of another shape, with the error of RFC 9396, 5. */
export function requireBounds({ CustomOIDCProviderError }: typeof Errors, asked: string | undefined): void {
  if (asked === undefined || isBoundsAsked(asked)) return
  const why = `authorization_details must be a list of at most one ${BOUNDS_TYPE}`
  throw new CustomOIDCProviderError('invalid_authorization_details', why)
}

/** What a JWT says of its grant: what bounds it, and how strong the sign-in was that it was opened in (RFC 9068, 2.2.1). */
export async function grantClaims(db: Db, grantId: string): Promise<Record<string, unknown>> {
  const grant = await findBounds(db, { id: grantId })
  const bounds = grant && boundsIn(grant.bounds)
  return { ...(bounds && { bounds }), ...strengthClaims(grant?.acr ?? null) }
}
