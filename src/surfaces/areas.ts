// Which area speaks for a path that leads to no operation: unknown, or refused before it is looked at.

import { community } from '../content/area.ts'
import type { Area } from '../contract/operation.ts'
import { account } from '../identity/area.ts'
import { library } from '../library/area.ts'
import { oauth } from '../oauth/area.ts'

/** The area of a path below /api. */
export function areaOf(path: string): Area {
  if (/^\/api\/auth\/(oauth2|agent|\.well-known)\b/.test(path)) return oauth
  if (/^\/api\/(auth|account)\b/.test(path)) return account
  return /^\/api\/library(\/|$)/.test(path) ? library : community
}

/** The area that renders errors of a path; undefined for pages. */
export function areaOrPage(path: string): Area | undefined {
  if (/^\/api(\/|$)/.test(path)) return areaOf(path)
  return /^\/(oauth|\.well-known)(\/|$)/.test(path) ? oauth : undefined
}
