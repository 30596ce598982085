// Texts of the mails about a change of address.
import { type Letter, letter } from '../mail/words.ts'

interface Change {
  from: string
  to: string
}

/** To the old address; with the link only where it had been verified. */
export const movedAwayMail = (baseUrl: string, { to, token }: Change & { token: string | null }): Letter =>
  letter((t) => {
    const next =
      token === null
        ? t('mails.movedAway.unverified')
        : t('mails.movedAway.undo', { link: `${baseUrl}/email-undo?token=${token}` })
    return { subject: t('mails.movedAway.subject'), body: t('mails.movedAway.body', { baseUrl, to, next }) }
  })

/** To the new address. */
export const movedHereMail = (baseUrl: string, { from }: Change): Letter =>
  letter((t) => ({ subject: t('mails.movedHere.subject'), body: t('mails.movedHere.body', { baseUrl, from }) }))

/** To both addresses, after the change was undone. */
export const undoneMail = (baseUrl: string, { from }: Change): Letter =>
  letter((t) => ({ subject: t('mails.undone.subject'), body: t('mails.undone.body', { baseUrl, from }) }))
