// Mail that comes, as the application takes it: made of the operations of all features.
import { takeReply } from './content/mail-replies/replies.ts'
import { takeReport } from './content/mail-replies/reports.ts'
import type { BoundOperation } from './core/bind.ts'
import type { MailDoor } from './mail/incoming/listener.ts'
import { isReplyToken, partsOf, readBounceToken } from './mail/signed-address.ts'
import type { CallActing } from './request/acting.ts'
import type { Dependencies } from './request/handler.ts'
import { timestamp } from './runtime/clock.ts'
import { subjects } from './subjects.ts'

/** The door for mail to addresses that we gave in mails. */
export function mailDoorOf(
  dependencies: Dependencies,
  { operations, callActing }: { operations: readonly BoundOperation[]; callActing: CallActing },
): MailDoor {
  const commentOn = (type: string) => {
    const path = subjects.find((subject) => subject.type === type)?.path
    const found = operations.find(
      ({ operation }) =>
        operation.method === 'POST' && operation.path.replace(/\{\w+\}/, '{}') === `${path}/{}/comments`,
    )
    return found?.operation
  }
  return {
    async knows(address) {
      const { config, secretFor, clock } = dependencies
      const named = partsOf(address)
      if (!named || named.domain !== config.replyDomain) return false
      if (named.prefix === 'bounce') return (await readBounceToken(secretFor, named.token)) !== undefined
      return named.prefix === 'reply' && isReplyToken(secretFor, named.token, timestamp(clock.now()))
    },
    take: (mail) =>
      partsOf(mail.recipient)?.prefix === 'bounce'
        ? takeReport(dependencies, mail)
        : takeReply(dependencies, { callActing, commentOn }, mail),
  }
}
