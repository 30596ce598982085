import type { Transport } from '@sveltejs/kit/hooks'
import { Rendered } from '#lib/rendered.ts'

export const transport: Transport = {
  Rendered: { encode: (value) => value instanceof Rendered && 'rendered', decode: () => [] },
}
