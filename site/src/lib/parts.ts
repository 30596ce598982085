// Which parts a page may lead to: those that are turned off are on no page.
import { page } from '$app/state'
import { partsOff } from '../../../src/contract/parts.ts'

const off = () => partsOff({ partsOff: page.data.partsOff ?? [] })

/** Whether an address leads to a part that is on. */
export const leads = (href: string): boolean => !off().hasPage(href.split(/[?#]/, 1)[0] ?? href)

/** The links of a list to parts that are on. */
export const leading = <Link extends { href: string }>(links: readonly Link[]): Link[] =>
  links.filter(({ href }) => leads(href))

/** Those kinds of things that are on. */
export const kindsOn = <Kind extends string>(kinds: readonly Kind[]): Kind[] =>
  kinds.filter((kind) => !off().kinds.has(kind))

/** Those events of webhooks whose things are on. */
export const eventsOn = <Name extends string>(events: readonly Name[]): Name[] =>
  events.filter((event) => !off().kinds.has(event.split('.', 1)[0] ?? ''))
