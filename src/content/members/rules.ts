// The badges of members: what each says, and how much it takes.
import { keysOf } from '../../contract/records.ts'

export const badges = {
  first_fix: { title: 'First fix', about: 'A bug that they reported was resolved', from: 1 },
  ten_fixes: { title: 'Ten fixes', about: 'Ten bugs that they reported were resolved', from: 10 },
  shipped: { title: 'Shipped', about: 'A feature that they requested was shipped', from: 1 },
  publisher: { title: 'Publisher', about: 'They published an item for everybody', from: 1 },
  ten_thanked: {
    title: 'Ten answers thanked',
    about: 'Others thanked them for ten comments: with a thumbs up, a heart or a hooray',
    from: 10,
  },
} as const

export type BadgeKind = keyof typeof badges
export const badgeKinds: readonly BadgeKind[] = keysOf(badges)
