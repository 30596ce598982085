// Texts of the mails about a change of address.
interface Letter {
  subject: string
  body: string
}

interface Change {
  from: string
  to: string
}

/** To the old address; with the link only where it had been verified. */
export const movedAwayMail = (baseUrl: string, { to, token }: Change & { token: string | null }): Letter => ({
  subject: 'The email address of your account was changed',
  body: `The address of your account at ${baseUrl} is now ${to}. Mails go there from now on.\n\n${
    token === null
      ? 'This address had not been verified. If the account is yours and this was not you, contact the operator of the site.'
      : `If this was not you, take the account back within 7 days:\n\n${baseUrl}/email-undo?token=${token}\n\nThat restores this address, and removes the password, passkeys, sessions and connected apps. Then sign in with a mailed code.`
  }\n`,
})

/** To the new address. */
export const movedHereMail = (baseUrl: string, { from }: Change): Letter => ({
  subject: 'Your email address was changed',
  body: `The address of your account at ${baseUrl} was ${from}. From now on mails come here, and you sign in with this address.\n\nFor 7 days the change can be undone with a link that was mailed to ${from}.\n`,
})

/** To both addresses, after the change was undone. */
export const undoneMail = (baseUrl: string, { from }: Change): Letter => ({
  subject: 'The change of your email address was undone',
  body: `The address of the account at ${baseUrl} is ${from} again. Its password, passkeys, sessions and connected apps were removed. Its owner signs in with a mailed code: ${baseUrl}/sign-in\n`,
})
