// The messages of the area script, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface ScriptMessages {
  'script.page.copied': Message
  'script.page.offline': Message
  'script.page.notOurs': Message
  'script.page.broken': Message<{ problem: string | number }>
  'script.page.sent': Message
  'script.page.done': Message<{ act: string | number }>
  'script.page.voteFailed': Message<{ why: string | number }>
  'script.page.voteOffline': Message
  'script.page.vote403': Message
  'script.page.vote404': Message
  'script.page.vote429': Message<{ retry: string | number }>
  'script.page.vote500': Message
  'script.page.quoteFailed': Message
  'script.page.similar': Message<{ count: number; number: string | number; score: string | number }>
  'script.page.contributions': Message<{ count: number; day: string | number }>
  'script.page.role.moderator': Message<{ name: string | number }>
  'script.page.role.admin': Message<{ name: string | number }>
  'script.palette.title': Message
  'script.palette.field': Message
  'script.palette.list': Message
  'script.palette.none': Message
  'script.palette.count': Message<{ count: number }>
  'script.palette.new': Message
  'script.palette.goTo': Message
  'script.palette.all': Message<{ q: string | number }>
  'script.passkey.unsupported': Message
  'script.passkey.offline': Message
  'script.passkey.wrong': Message<{ why: string | number }>
  'script.passkey.known': Message
  'script.passkey.none': Message
  'script.passkey.failed': Message
  'script.push.denied': Message
  'script.push.failed': Message
  'script.push.offline': Message
  'script.file.size': Message<{ bytes: string | number; limit: string | number }>
  'script.file.notText': Message
  'script.file.read': Message<{ file: string | number }>
  'script.file.readOrg': Message<{ count: number; file: string | number; name: string | number }>
  'script.upload.checking': Message
  'script.upload.lost': Message
  'script.upload.tooLargeFor': Message
  'script.upload.tooLarge': Message
  'script.upload.orgTooLarge': Message
  'script.upload.noJson': Message
  'script.upload.noKind': Message
  'script.upload.willRefuse': Message<{ why: string | number }>
  'script.upload.refused': Message<{ why: string | number }>
  'script.upload.suspicious': Message<{ why: string | number }>
  'script.upload.version': Message<{ why: string | number }>
  'script.upload.tag': Message<{ why: string | number }>
  'script.upload.failed': Message
  'script.upload.whole': Message<{ why: string | number }>
  'script.upload.at': Message<{ place: string | number; why: string | number }>
  'script.upload.schema.type': Message<{ value: string | number }>
  'script.upload.schema.value': Message<{ value: string | number }>
  'script.upload.schema.one': Message<{ value: string | number }>
  'script.upload.schema.entries': Message<{ count: number }>
  'script.upload.schema.short': Message<{ count: number }>
  'script.upload.schema.long': Message<{ count: number }>
  'script.upload.schema.pattern': Message
  'script.upload.schema.least': Message<{ value: string | number }>
  'script.upload.schema.most': Message<{ value: string | number }>
  'script.upload.schema.above': Message<{ value: string | number }>
  'script.upload.schema.missing': Message
  'script.upload.schema.unknown': Message
  'script.widget.offline': Message
  'script.widget.failed': Message
  'script.widget.noPicture': Message
  'script.widget.voteFor': Message<{ title: string | number; score: string | number }>
  'script.widget.nothing': Message
  'script.widget.membersOnly': Message
  'script.widget.as': Message<{ name: string | number }>
  'script.widget.picture': Message
  'script.widget.reported': Message<{ number: string | number }>
  'script.widget.filed': Message<{ number: string | number }>
  'script.widget.asked': Message<{ number: string | number }>
  'script.widget.sending': Message
}
