// The visibilities of an item, as options of a field. Only admins make an item official.
import { states, visibilities } from '#lib/ui/states.ts'

const meaning = {
  private: 'only you can see it',
  public: 'everyone can see it, vote and comment',
  official: 'public and endorsed by Guildhall',
} as const

export const visibilityChoices = (role: string | undefined) =>
  visibilities
    .filter((value) => value !== 'official' || role === 'admin')
    .map((value) => ({ value, label: `${states[value].word}: ${meaning[value]}` }))
