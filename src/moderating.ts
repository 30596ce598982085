// What moderators can do, and to which kinds of things: for the application, and for the operator at the command line.
import type { Powers } from './content/reports/deciding.ts'
import { hidings } from './features.ts'

const blocking = () => import('./community/admin/blocking.ts')

/** What moderators can do. */
export const powers: Powers = {
  hidings: new Map(hidings.map((hiding) => [hiding.type, hiding])),
  changeBlock: async (...given) => (await blocking()).changeBlock(...given),
  lockSubordinate: async (...given) => (await blocking()).lockSubordinate(...given),
}
