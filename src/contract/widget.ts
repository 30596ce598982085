// The widget on other sites (behaviour.md, section 4): who its tokens are of, and what they may do.

import type { Contract } from './operation.ts'

/** The client of the grants that are made for people whom a listed site vouches for: no client can have this id. */
export const WIDGET_CLIENT = 'urn:guildhall:widget'

/** A contract whose operations of these names a token of the widget may call. */
export function usedByWidget<C extends Contract>(contract: C, names: readonly (keyof C)[]): C {
  const used = names.map((name) => [name, { ...contract[name], widget: true }])
  return { ...contract, ...Object.fromEntries(used) }
}

/** Whether a program of its own acts by a token. In the widget a person types and presses. */
export const isByAgent = <Via extends object>(via: Via): via is Extract<Via, { clientId: string }> =>
  'clientId' in via && via.clientId !== WIDGET_CLIENT
