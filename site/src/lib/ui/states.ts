// The states of subjects: a word, an icon and a tone each.
import type { IconName } from './icons.ts'

export type Tone = 'positive' | 'warning' | 'danger' | 'info' | ''

export const states = {
  open: { word: 'Open', icon: 'circle', tone: 'info' },
  in_progress: { word: 'In progress', icon: 'progress', tone: 'warning' },
  resolved: { word: 'Resolved', icon: 'done', tone: 'positive' },
  wontfix: { word: 'Won’t fix', icon: 'no', tone: '' },
  planned: { word: 'Planned', icon: 'plan', tone: 'warning' },
  shipped: { word: 'Shipped', icon: 'ship', tone: 'positive' },
  declined: { word: 'Declined', icon: 'no', tone: '' },
  low: { word: 'Low', icon: 'low', tone: '' },
  medium: { word: 'Medium', icon: 'medium', tone: '' },
  high: { word: 'High', icon: 'high', tone: 'warning' },
  critical: { word: 'Critical', icon: 'critical', tone: 'danger' },
  private: { word: 'Private', icon: 'lock', tone: '' },
  public: { word: 'Public', icon: 'globe', tone: '' },
  official: { word: 'Official', icon: 'seal', tone: 'positive' },
  blocked: { word: 'Blocked', icon: 'no', tone: 'danger' },
  admin: { word: 'Admin', icon: 'shield', tone: '' },
  moderator: { word: 'Moderator', icon: 'shield', tone: '' },
  member: { word: 'Member', icon: 'person', tone: '' },
} as const satisfies Record<string, { word: string; icon: IconName; tone: Tone }>

export type State = keyof typeof states

/** The options of a field, in the words of this site. */
export const choices = (...names: State[]) => names.map((value) => ({ value, label: states[value].word }))
