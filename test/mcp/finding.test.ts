// Operations are found by what people say: a hundred phrases, the right operation among the first three for 95 of them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { api } from '../../src/api.ts'
import { bind } from '../../src/core/bind.ts'
import { tokensOf } from '../../src/runtime/width.ts'
import { toolboxOf } from '../../src/surfaces/mcp/toolbox.ts'

const anything = (of: unknown) => new Proxy({}, { get: () => of })
const operations = bind(api, anything(anything(() => undefined)) as never)
const box = toolboxOf(operations)

const PHRASES = `
reopen a bug: bugs.close
reopen: bugs.close
close an issue: bugs.close
resolve a bug: bugs.close
upvote a bug: bugs.vote
upvote a feature: features.vote
downvote a post: posts.vote
take my vote back: bugs.vote features.vote posts.vote library.vote orgs.vote changelog.vote
unfollow: follows.set
unfollow a thread: follows.set
stop watching a bug: follows.set
watch an item: follows.set
subscribe to a feature request: follows.set
mute: follows.set
what do I follow: follows.list
emoji: comments.react
add an emoji to a comment: comments.react
react to a comment: comments.react
like a comment: comments.react
remove my reaction: comments.unreact
assign: bugs.triage
assign a bug: bugs.triage
mark as duplicate: bugs.merge features.merge posts.merge
mark a bug as duplicate: bugs.merge
merge two feature requests: features.merge
unmerge a bug: bugs.undoMerge
list versions: library.versions library.findVersions
list versions of an item: library.versions library.findVersions
version history: library.versions library.findVersions
new release: changelog.create
write release notes: changelog.create
publish a new version: library.publishVersion
upload a new version of my workflow: library.publishVersion
who am i: profile.me
whoami: profile.me
what may my token do: library.me
my scopes: library.me
delete my account: deletion.request
reply to comment: bugs.comment features.comment posts.comment library.comment orgs.comment
reply to a comment on a bug: bugs.comment
comment on a library item: library.comment
delete a comment on a bug: bugs.deleteComment
delete a comment on a post: posts.deleteComment
edit my comment: comments.edit
edit a post: posts.edit
fix a typo in a bug: bugs.edit
change the title of a feature request: features.edit
edit history of a bug: bugs.revisions
who changed the status of a bug: bugs.statusChanges
set status and severity: bugs.triage
change the priority of a bug: bugs.triage
mark a bug as in progress: bugs.triage
mark a feature as planned: features.setStatus
decline a feature request: features.setStatus
add a label to a bug: bugs.attachLabel
tag a bug: bugs.attachLabel
remove a label from a bug: bugs.detachLabel
create a label: labels.create
rename a label: labels.update
list labels: labels.list
delete a post: posts.delete
delete a bug: bugs.delete
remove an item from the library: library.delete
delete one version: library.deleteVersion
yank a version: library.yank
withdraw a broken version: library.yank
deprecate an item: library.deprecate
download an item: library.download library.findDownload
read the readme: library.readme library.findReadme
is it safe: library.scan library.findScan
security scan of an item: library.scan library.findScan
check a file before publishing: library.scanFile
make an item public: library.update
change the tags of an item: library.update
rename an item: library.rename library.update
transfer an item to somebody: library.transfer
add a maintainer: library.addMaintainer
who maintains this item: library.maintainers
accept an invitation: library.acceptInvitation teams.join
decline an invitation: library.endInvitation
who depends on this item: library.usedBy library.findUsedBy
dependencies of an item: library.dependencies library.findDependencies
compare two versions: library.compare library.findCompare
create a team: teams.create
leave a team: teams.remove
add someone to a team: teams.invite
list team members: teams.members
my notifications: notifications.list
mark all notifications as read: notifications.read
turn off mails: notifications.updateSettings
change my profile: profile.update
set my username: profile.setUsername
upload an avatar: avatars.set
find a user: members.list
ban a user: admin.block
unban a user: admin.block
make someone a moderator: admin.setRole
audit log: admin.listAudit
report spam: reports.create
moderation queue: moderation.cases
hide spam: moderation.decide
appeal a decision: moderation.appeal
look up #128 by its number: references.get
find duplicates before filing: search.similar
add a signing key: publisherKeys.add
retry a webhook delivery: webhooks.redeliver itemWebhooks.redeliver
save a search: savedFilters.save
attach a screenshot: textImages.add
was it approved: pendingActs.list
`
  .trim()
  .split('\n')
  .map((line) => line.split(': ') as [phrase: string, meant: string])

describe('find_operation', () => {
  it('has what is meant among the first three, for 95 of 100 phrases', () => {
    assert.ok(PHRASES.length >= 100, `${PHRASES.length}`)
    const known = new Set(operations.map(({ name }) => name))
    const missed = PHRASES.filter(([phrase, meant]) => {
      const names = meant.split(' ')
      for (const name of names) assert.ok(known.has(name), name)
      const found = box.find(phrase).slice(0, 3)
      return !found.some(({ name }) => names.includes(name))
    }).map(([phrase, meant]) => `${phrase} (${meant}): ${box.find(phrase).map(({ name }) => name)}`)
    assert.ok(missed.length <= PHRASES.length * 0.05, missed.join('\n'))
  })

  it('answers in less than 800 tokens, with the schema of the first that an agent may call', () => {
    for (const query of [...PHRASES.map(([phrase]) => phrase), ...operations.map(({ name }) => name)]) {
      const found = box.find(query)
      const tokens = tokensOf(JSON.stringify({ operations: found }))
      assert.ok(tokens < 800, `${query}: ${tokens} tokens`)
      const [first] = found
      assert.ok(!first || first.inputSchema || first.description.includes('Only in a browser'), query)
    }
  })

  it('finds an operation by its name first, and nothing for words that tell nothing', () => {
    for (const { name } of operations.filter(({ name: one }) => box.operation(one))) {
      assert.equal(box.find(name)[0]?.name, name)
    }
    for (const query of ['', 'the of a', '???', 'zzzzqqqq']) assert.deepEqual(box.find(query), [])
  })
})
