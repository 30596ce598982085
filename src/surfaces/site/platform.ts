// The data that the server passes to each page.
import type { api } from '../../api.ts'
import type { Config } from '../../config/config.ts'
import type { PartsOff } from '../../contract/parts.ts'
import type { View } from '../../request/endpoint.ts'
import type { Client } from '../client.ts'
import type { PageCalls } from './calls.ts'
import type { Looks } from './looks.ts'

/** The data that the server passes to a page (site/src/app.d.ts). */
export interface Platform {
  connect: PageCalls['client']
  send: PageCalls['send']
  forEverybody<Read>(name: string, read: (anonymous: Client<typeof api>) => Promise<Read>): Promise<Read>
  work(name: 'markdown' | 'chart' | 'code', input: unknown): Promise<unknown>
  /** Draws SVG that the site wrote as PNG; missing where the build has no drawings. */
  draw?(svg: string): Promise<Uint8Array>
  report(error: unknown): string
  /** The fixed client, by which agents know their links. */
  agentClientId: string
  /** Whether anonymous users get files of public items. */
  publicDownloads: boolean
  /** What the privacy policy and the terms say of who runs the server. */
  operator: Config['operator']
  /** For how many days is kept what clean-ups remove. */
  keptDays: Config['keptDays']
  /** Which services of the operator read what members write. */
  machines: { classifier: boolean; ai: boolean; meanings: boolean }
  /** Who may make an account, where it is open for which mail domains (none for all), and whether the external provider is the only way in. */
  signUp: { mode: 'open' | 'invited' | 'closed'; domains: readonly string[]; isExternal: boolean }
  /** What the button of the external provider is called; undefined without one. */
  externalName: string | undefined
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
  development: boolean
  /** The data of an endpoint's page (view.ts); undefined for all other requests. */
  view: View | undefined
}
