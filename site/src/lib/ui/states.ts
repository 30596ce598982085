// The states of subjects: an icon and a tone each, and a word in the catalogue. The lists are those of the contracts; a state without a word
// does not compile.

import type { SiteWords } from '#lib/language/catalogue.ts'
import { Account } from '../../../../src/accounts/sign-in/contract.ts'
import { Severity, Status } from '../../../../src/community/bugs/subject.ts'
import { Status as FeatureStatus } from '../../../../src/community/features/subject.ts'
import { Item } from '../../../../src/library/items/item-contract.ts'
import type { IconName } from './icons.ts'

export type Tone = 'positive' | 'warning' | 'danger' | 'info' | ''

export const bugStatuses = Status.options
export const featureStatuses = FeatureStatus.options
export const severities = Severity.options
export const visibilities = Item.shape.visibility.options
export const roles = Account.shape.role.options

export type State =
  | (typeof bugStatuses)[number]
  | (typeof featureStatuses)[number]
  | (typeof severities)[number]
  | (typeof visibilities)[number]
  | (typeof roles)[number]
  | 'blocked'
  | 'active'
  | 'failing'
  | 'disabled'
  | 'pending'
  | 'delivered'
  | 'failed'
  | 'preparing'
  | 'ready'
  | 'leaving'
  | 'deprecated'
  | 'yanked'

export const states: Record<State, { icon: IconName; tone: Tone }> = {
  open: { icon: 'circle', tone: 'info' },
  in_progress: { icon: 'progress', tone: 'warning' },
  resolved: { icon: 'done', tone: 'positive' },
  wontfix: { icon: 'no', tone: '' },
  planned: { icon: 'plan', tone: 'warning' },
  shipped: { icon: 'ship', tone: 'positive' },
  declined: { icon: 'no', tone: '' },
  low: { icon: 'low', tone: '' },
  medium: { icon: 'medium', tone: '' },
  high: { icon: 'high', tone: 'warning' },
  critical: { icon: 'critical', tone: 'danger' },
  private: { icon: 'lock', tone: '' },
  public: { icon: 'globe', tone: '' },
  official: { icon: 'seal', tone: 'positive' },
  blocked: { icon: 'no', tone: 'danger' },
  active: { icon: 'done', tone: 'positive' },
  failing: { icon: 'critical', tone: 'warning' },
  disabled: { icon: 'no', tone: '' },
  pending: { icon: 'progress', tone: 'info' },
  delivered: { icon: 'done', tone: 'positive' },
  failed: { icon: 'critical', tone: 'danger' },
  preparing: { icon: 'progress', tone: 'info' },
  ready: { icon: 'done', tone: 'positive' },
  deprecated: { icon: 'critical', tone: 'warning' },
  yanked: { icon: 'no', tone: 'warning' },
  leaving: { icon: 'critical', tone: 'danger' },
  admin: { icon: 'shield', tone: '' },
  moderator: { icon: 'shield', tone: '' },
  member: { icon: 'person', tone: '' },
}

/** The options of a field, in the words of this site. */
export const choices = (t: SiteWords, list: readonly State[]) =>
  list.map((value) => ({ value, label: t(`kinds.state.${value}`) }))
