// Texts of the mails about the deletion of an account.
import { quotedLines } from '../mail/quoting.ts'
import { type Letter, letter } from '../mail/words.ts'

interface Requested {
  content: 'delete' | 'anonymise'
  eraseAt: string
  reason: string | null
  byAdmin: boolean
}

/** After a request to delete the account. */
export const deletionMail = (baseUrl: string, { content, eraseAt, reason, byAdmin }: Requested): Letter =>
  letter((t) => {
    const said = reason ? `\n\n${t('mails.deletion.reason', { reason: quotedLines(reason) })}` : ''
    const lead = byAdmin ? t('mails.deletion.byAdmin', { baseUrl }) + said : t('mails.deletion.own', { baseUrl })
    const next = byAdmin ? t('mails.deletion.adminNext') : t('mails.deletion.ownNext', { baseUrl })
    const consequences = t(`mails.deletion.${content}`)
    return {
      subject: t('mails.deletion.subject'),
      body: t('mails.deletion.body', { lead, day: t.day(eraseAt), consequences, next }),
    }
  })

/** After the deletion was cancelled. */
export const deletionCancelledMail = (baseUrl: string): Letter =>
  letter((t) => ({ subject: t('mails.kept.subject'), body: t('mails.kept.body', { baseUrl }) }))

/** The last mail of an account. */
export const erasedMail = (baseUrl: string, content: Requested['content']): Letter =>
  letter((t) => ({
    subject: t('mails.erased.subject'),
    body: t('mails.erased.body', { baseUrl, consequences: t(`mails.erased.${content}`) }),
  }))
