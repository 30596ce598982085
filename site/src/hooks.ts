import type { Transport } from '@sveltejs/kit/hooks'
import { Rendered } from '#lib/rendered.ts'

/** The data of a page or a layout as SvelteKit would write it down for a script. */
const isForScript = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'data' && 'uses' in value

export const transport: Transport = {
  // No page has such a script (`csr = false`), and SvelteKit writes the data of every page before it looks.
  Unread: { encode: (value) => isForScript(value) && 'unread', decode: () => ({}) },
  Rendered: { encode: (value) => value instanceof Rendered && 'rendered', decode: () => [] },
}
