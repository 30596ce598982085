// Texts of the mails about the deletion of an account.
interface Letter {
  subject: string
  body: string
}

interface Requested {
  content: 'delete' | 'anonymise'
  eraseAt: string
  reason: string | null
  byAdmin: boolean
}

const day = (moment: string) => moment.slice(0, 10)

const consequences = {
  delete: 'What you wrote will be deleted with it.',
  anonymise: 'What you wrote will stay, by "deleted user". Private items, votes and reactions will be deleted.',
}

/** After a request to delete the account. */
export function deletionMail(baseUrl: string, { content, eraseAt, reason, byAdmin }: Requested): Letter {
  const lead = byAdmin
    ? `An admin requested the deletion of your account at ${baseUrl}.${reason ? `\n\nReason: ${reason}` : ''}`
    : `You requested the deletion of your account at ${baseUrl}.`
  const next = byAdmin
    ? 'If you think this is a mistake, contact the operator of the site. Until then you can sign in and export your data.'
    : `If you change your mind, or if this was not you, sign in at ${baseUrl}/sign-in until then and keep your account.`
  return {
    subject: 'Your account will be deleted',
    body: `${lead}\n\nThe account will be erased on ${day(eraseAt)}. ${consequences[content]} All browsers and connected apps were signed out.\n\n${next}\n`,
  }
}

/** After the deletion was cancelled. */
export const deletionCancelledMail = (baseUrl: string): Letter => ({
  subject: 'Your account stays',
  body: `The deletion of your account at ${baseUrl} was cancelled. Connected apps have to be connected again.\n\nIf this was not you, choose a new password at ${baseUrl}/forgot-password.\n`,
})

/** The last mail of an account. */
export const erasedMail = (baseUrl: string, content: Requested['content']): Letter => ({
  subject: 'Your account was deleted',
  body: `Your account at ${baseUrl} was erased. ${
    content === 'delete'
      ? 'What you wrote was deleted. Where others answered a bug or a feature request of yours, their words stay and yours are gone.'
      : 'What you wrote stays, by "deleted user".'
  }\n\nThe audit log keeps the id of the account, without your name or address. This is the last mail.\n`,
})
