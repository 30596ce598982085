// Guildhall in the process of the bench, asked through its API.
import { createApp, type Guildhall } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { openDependencies } from '../../src/start/open-dependencies.ts'
import type { Place } from '../parts/places.ts'

const BASE_URL = 'http://localhost:3000'

export interface Asking {
  /** Sent as JSON, with POST. */
  body?: object
  cookie?: string
}

/** What the API answers; throws for anything but a success. `path` is below `/api`. */
export async function ask<Answer>(app: Guildhall, path: string, { body, cookie }: Asking = {}): Promise<Answer> {
  const headers = { Origin: BASE_URL, 'Content-Type': 'application/json', ...(cookie && { Cookie: cookie }) }
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const response = await app.fetch(new Request(`${BASE_URL}/api${path}`, request))
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

export const queryOf = (parameters: Record<string, string | number>): string =>
  new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString()

export type Opened = Awaited<ReturnType<typeof openDependencies>>

/** Opens a place with some settings; without limits of rates unless they say so. */
export const openPlace = ({ environment }: Place, settings: Record<string, string> = {}): Promise<Opened> =>
  openDependencies(readConfig({ ...environment, BASE_URL, LOG_LEVEL: 'silent', RATE_LIMITS: 'off', ...settings }))

/** The application, at a time of its own. */
export const appAt = (dependencies: Opened, clock: Clock): Guildhall => createApp({ ...dependencies, clock })
