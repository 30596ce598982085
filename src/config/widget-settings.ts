// The settings of the widget: which sites may show it, and what they are believed.
import { z } from 'zod'
import { isLoopback } from '../runtime/addresses.ts'
import { about, ON_OR_OFF, onOrOff } from './values.ts'

export const MAX_WIDGET_SITES = 20

/**
 * An origin as browsers write it: https, or http of this machine, for trying it out. A policy would take `*` in a name for any name, and has no
 * words for an IPv6 address (Content Security Policy 3, `host-char`).
 */
function isSite(text: string): boolean {
  const url = URL.parse(text)
  if (url?.origin !== text || text.length > 200 || !/^[a-z\d.-]+$/.test(url.hostname)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

const sites = () =>
  z
    .string()
    .transform((text) => [
      ...new Set(
        text
          .split(',')
          .map((site) => site.trim().replace(/\/$/, ''))
          .filter(Boolean),
      ),
    ])
    .refine(
      (all) => all.length <= MAX_WIDGET_SITES && all.every(isSite),
      `at most ${MAX_WIDGET_SITES} https origins with commas between them, such as https://app.example; none of an IPv6 address`,
    )

export const widgetSettings = {
  WIDGET_SITES: sites().register(about, {
    default: '',
    missing: 'none: the widget is off',
    live: 'external',
    input: 'list',
    description:
      'the sites that may show the [widget](../content/docs/widget.md), as https origins with commas between them: `https://app.example`; a policy of browsers cannot name an IPv6 address',
  }),
  WIDGET_EMAILS: onOrOff().register(about, {
    default: 'off',
    live: 'external',
    input: 'choice',
    choices: ON_OR_OFF,
    description:
      'whether these sites prove addresses: a new account of the widget then has the address that the site signed, unless it is that of an account',
  }),
}
