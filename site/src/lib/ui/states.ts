// The states of subjects: a word, an icon and a tone each. The lists are those of the contracts; a state without a word, or a word
// without a state, does not compile.
import { Account } from '../../../../src/accounts/contract.ts'
import { Severity, Status } from '../../../../src/community/bugs/subject.ts'
import { Status as FeatureStatus } from '../../../../src/community/features/subject.ts'
import { Item } from '../../../../src/library/item-contract.ts'
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

export const states: Record<State, { word: string; icon: IconName; tone: Tone }> = {
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
  active: { word: 'Active', icon: 'done', tone: 'positive' },
  failing: { word: 'Failing', icon: 'critical', tone: 'warning' },
  disabled: { word: 'Disabled', icon: 'no', tone: '' },
  pending: { word: 'Waiting', icon: 'progress', tone: 'info' },
  delivered: { word: 'Delivered', icon: 'done', tone: 'positive' },
  failed: { word: 'Failed', icon: 'critical', tone: 'danger' },
  preparing: { word: 'Being prepared', icon: 'progress', tone: 'info' },
  ready: { word: 'Ready', icon: 'done', tone: 'positive' },
  deprecated: { word: 'Deprecated', icon: 'critical', tone: 'warning' },
  yanked: { word: 'Yanked', icon: 'no', tone: 'warning' },
  leaving: { word: 'Being deleted', icon: 'critical', tone: 'danger' },
  admin: { word: 'Admin', icon: 'shield', tone: '' },
  moderator: { word: 'Moderator', icon: 'shield', tone: '' },
  member: { word: 'Member', icon: 'person', tone: '' },
}

/** The options of a field, in the words of this site. */
export const choices = (list: readonly State[]) => list.map((value) => ({ value, label: states[value].word }))
