// What the server passes to the site (src/surfaces/site), and what each request carries.
import type { Account } from '../../src/accounts/sign-in/contract.ts'
import type { api } from '../../src/api.ts'
import type { PartName, PartsOff } from '../../src/contract/parts.ts'
import type { AuthorizationView } from '../../src/oauth/view.ts'
import type { Client } from '../../src/surfaces/client.ts'
import type { Looks } from '../../src/surfaces/site/looks.ts'
import type { SiteWords } from './lib/language/catalogue.ts'
import type { KeptDays, Operator } from './lib/server/operator.ts'
import type { OrgChart, orgChart } from './lib/server/org-chart.ts'

interface SendOptions {
  /** A form that is handed on as it comes. */
  form?: { contentType: string; body: ReadableStream<Uint8Array> | null }
  /** A write is tried, and undone. */
  isDryRun?: boolean
}

declare global {
  namespace App {
    interface Platform {
      /** The API client with the caller's credentials. `onCookie` receives the cookies that the API sets. */
      connect(onCookie: (line: string) => void): Client<typeof api>
      /** Calls an operation by its name with what a form has, and hands on a form with files. Rejects as the client does. */
      send(
        name: string,
        input: Record<string, unknown>,
        how: SendOptions & { onCookie: (line: string) => void },
      ): Promise<unknown>
      /** Data that is the same for every reader: read as an anonymous user and cached as `name` until the next commit. */
      forEverybody<Read>(name: string, read: (anonymous: Client<typeof api>) => Promise<Read>): Promise<Read>
      /** Slow work, done in a worker thread with a fair queue (src/surfaces/site/mount.ts). */
      work: Locals['work']
      /** Draws SVG that the site wrote as PNG; missing where the build has no drawings. */
      draw?(svg: string): Promise<Uint8Array>
      /** The fixed client, by which agents know their links. */
      agentClientId: string
      /** Whether anonymous users get files of public items. */
      publicDownloads: boolean
      /** Who runs the server, as far as that is set. */
      operator: Operator
      keptDays: KeptDays
      /** Which services of the operator read what members write. */
      machines: { classifier: boolean; ai: boolean; meanings: boolean }
      /** Who may make an account, and where it is open, the mail domains that may; none for all. */
      signUp: { mode: 'open' | 'invited' | 'closed'; domains: readonly string[]; isExternal: boolean }
      /** What the button of the external provider is called; undefined without one. */
      externalName: string | undefined
      /** Logs an error and returns its request id. */
      report(error: unknown): string
      /** What the audit log calls each action, in words. */
      auditTitles: Readonly<Record<string, string>>
      /** Whether reading needs an account here. */
      isPrivate: boolean
      /** Whether digests are mailed to people without an account. */
      guestDigest: boolean
      /** Whether the reader of the page may read the community. */
      reads: boolean
      baseUrl: string
      /** The sites that may show the widget; empty where it is off. */
      widgetSites: readonly string[]
      looks: Looks
      /** The looks that changes of settings would make. */
      draftLooks(changes: Readonly<Record<string, string | null>>): Looks
      /** The parts that are turned off. */
      off: PartsOff
      /** Whether mail is written to a local folder. */
      development: boolean
      /** What a page of the authorization server shows; no request from outside has one (src/surfaces/site/view.ts). */
      view?: AuthorizationView
    }
    interface Locals {
      /** What the server passes to the site. */
      server: Platform
      api: Client<typeof api>
      /** The signed-in account; read once per request. */
      user(): Promise<Account | undefined>
      /** The words of the reader's language. */
      t: SiteWords
      /** Changes of the looks that are shown before they are saved (/admin/looks). */
      looksDraft?: Readonly<Record<string, string | null>>
      send(name: string, input: Record<string, unknown>, how?: SendOptions): Promise<unknown>
      work: {
        (name: 'markdown', input: { sources: string[] }): Promise<string[]>
        (name: 'code', input: { source: string; language: string }): Promise<string>
        (name: 'chart', input: Parameters<typeof orgChart>[0]): Promise<OrgChart>
      }
    }
    interface Error {
      status: number
      message: string
      /** The id of the request in the log. */
      requestId?: string
    }
    interface PageData {
      user?: Account
      /** What is kept of the forms of the page. */
      drafts?: { form: string; fields: { name: string; text: string }[]; updatedAt: string }[] | undefined
      /** Whether the page stands alone: no navigation, nothing about the reader. */
      alone?: boolean
      /** Whether it is the page of the widget, which has nothing around it. */
      isWidget?: boolean
      /** Whether it is one of the docs, which have a navigation of their own; and what that lists. */
      isDocs?: boolean
      apiParts?: readonly string[] | undefined
      operations?: readonly { name: string }[]
      document?: { contents: { id: string; title: string }[] }
      /** The parts that are turned off. */
      partsOff?: readonly PartName[]
      /** The language of the page. */
      language?: string
    }
  }
}
