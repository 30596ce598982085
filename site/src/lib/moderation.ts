// The words for rules, decisions and states of moderation.
import type { ModerationAction, ModerationRule } from '../../../src/contract/moderation-kinds.ts'

export const ruleLabels: Readonly<Record<ModerationRule, string>> = {
  spam: 'Spam or advertising',
  abuse: 'Insults or harassment',
  illegal: 'Against the law',
  malware: 'Harmful code',
  privacy: 'Private data of others',
  off_topic: 'Off topic',
  other: 'Something else',
}

export const actionLabels: Readonly<Record<ModerationAction, string>> = {
  hide: 'Hidden',
  delete: 'Removed',
  warn: 'Warned',
  block: 'Account blocked',
  remove_all: 'Everything of the account removed',
  approve: 'Approved',
  dismiss: 'Dismissed',
  unblock: 'Account unblocked',
  undo: 'Undone',
}

const options = <Word extends string>(labels: Readonly<Record<Word, string>>) =>
  (Object.entries(labels) as [Word, string][]).map(([value, label]) => ({ value, label }))

export const ruleOptions = options(ruleLabels)

export const decisionOptions = options({
  dismiss: 'Dismiss: nothing is wrong',
  approve: 'Approve: show what is held',
  hide: 'Hide it',
  delete: 'Remove it',
  warn: 'Warn the author',
  block: 'Block the author',
  remove_all: 'Remove everything by the author',
})

export const typeLabels: Readonly<Record<string, string>> = {
  ...{ bug: 'bug', feature: 'feature request', post: 'post', org: 'org' },
  ...{ run: 'run', release: 'release', item: 'library item', team: 'team', comment: 'comment' },
  user: 'profile',
}

export const stateTexts = {
  draft: 'This is a draft. Only its author and moderators see it until it is published.',
  held: 'This waits for a moderator to approve it. Only you and moderators see it.',
  hidden: 'A moderator hid this. Only its author and moderators see it.',
  removed: 'A moderator removed this. Only its author and moderators see it, and it is deleted after 30 days.',
  blocked: 'The author is blocked. Only moderators see this.',
} as const
