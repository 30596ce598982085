// What the server around the site hands in (src/surfaces/site), and what a request carries along.
import type { Account } from '../../src/accounts/contract.ts'
import type { api } from '../../src/api.ts'
import type { AuthorizationView } from '../../src/oauth/consent/view.ts'
import type { Client } from '../../src/surfaces/client.ts'
import type { OrgChart, orgChart } from './lib/server/org-chart.ts'

declare global {
  namespace App {
    interface Platform {
      /** The API as the sender of this request may use it; cookies that it sets are told to `onCookie`. */
      connect(request: Request, onCookie: (line: string) => void): Client<typeof api>
      /** A request to the API as it is, such as an upload that a form sent. */
      send(request: Request, onCookie: (line: string) => void): Promise<Response>
      /** What a page shows to everybody alike: read as a stranger, and kept as `name` until the next commit. */
      forEverybody<Read>(name: string, read: (stranger: Client<typeof api>) => Promise<Read>): Promise<Read>
      /** Work that may take long, done in a thread of its own, in turn with that of others (src/surfaces/site/work.ts). */
      work: Locals['work']
      /** Writes a fault into the log; answers what the log has it under. */
      report(error: unknown): string
      baseUrl: string
      accent: string | undefined
      /** Whether mail goes to a folder of this machine. */
      development: boolean
      /** What a page of the authorization server shows; no request from outside has one (src/surfaces/site/view.ts). */
      view?: AuthorizationView
    }
    interface Locals {
      api: Client<typeof api>
      /** Who is signed in; asked for once. */
      user(): Promise<Account | undefined>
      send(path: string, init: RequestInit): Promise<Response>
      work: {
        (name: 'markdown', input: { sources: string[] }): Promise<string[]>
        (name: 'chart', input: Parameters<typeof orgChart>[0]): Promise<OrgChart>
      }
    }
    interface Error {
      status: number
      message: string
      /** What the server's log has it under. */
      requestId?: string
    }
    interface PageData {
      user?: Account
      /** false on pages that need no script at all. */
      script?: boolean
      /** Whether the page stands alone: no navigation, nothing about the reader. */
      alone?: boolean
    }
  }
}
