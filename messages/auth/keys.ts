// The messages of the area auth, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface AuthMessages {
  'auth.signIn.title': Message
  'auth.signIn.voteKept': Message
  'auth.signIn.deleted': Message
  'auth.signIn.otherWay': Message
  'auth.signIn.external': Message<{ provider: string | number }>
  'auth.signIn.newHere': Message<None, 'signUp'>
  'auth.signIn.newHereLimited': Message<None, 'signUp'>
  'auth.signIn.forgot': Message
  'auth.signIn.emailCode': Message
  'auth.signIn.emailCodeInstead': Message
  'auth.signIn.passkey': Message
  'auth.email': Message
  'auth.emailHelp': Message
  'auth.password': Message
  'auth.passwordHelp': Message
  'auth.name': Message
  'auth.nameHelp': Message
  'auth.signUp.title': Message
  'auth.signUp.about': Message
  'auth.signUp.intro': Message
  'auth.signUp.voteKept': Message
  'auth.signUp.taken': Message<{ email: string | number }, 'address'>
  'auth.signUp.addressTaken': Message
  'auth.signUp.closed': Message<None, 'signIn'>
  'auth.signUp.invited': Message
  'auth.signUp.domains': Message<{ domains: string | number }>
  'auth.signUp.haveAccount': Message<None, 'signIn'>
  'auth.join.title': Message
  'auth.join.about': Message<{ name: string | number; role: 'moderator' | string }>
  'auth.join.board': Message<{ name: string | number }>
  'auth.join.signUp': Message
  'auth.join.signIn': Message
  'auth.join.nothing': Message<{ name: string | number }>
  'auth.join.home': Message
  'auth.join.accept': Message
  'auth.reset.title': Message
  'auth.reset.save': Message
  'auth.reset.newPassword': Message
  'auth.reset.newPasswordHelp': Message
  'auth.reset.otherAddress': Message
  'auth.reset.intro': Message
  'auth.reset.remembered': Message<None, 'signIn'>
  'auth.code.renewed': Message
  'auth.code.another': Message
  'auth.code.sent': Message<{ email: string | number }, 'address'>
  'auth.code.development': Message
  'auth.code.label': Message
  'auth.code.help': Message
  'auth.verify.title': Message
  'auth.verify.intro': Message
  'auth.verify.button': Message
  'auth.skip': Message
  'auth.signOut.title': Message
  'auth.signOut.as': Message<{ name: string | number }>
  'auth.signOut.none': Message
  'auth.steps.of': Message<{ at: string | number; count: string | number }>
  'auth.steps.verify': Message
  'auth.steps.username': Message
  'auth.steps.look': Message
  'auth.external.blocked': Message
  'auth.external.conflict': Message<{ name: string | number }>
  'auth.external.forbidden': Message<{ name: string | number }>
  'auth.external.reauthentication_required': Message
  'auth.external.rate_limited': Message
  'auth.external.other': Message<{ name: string | number }>
  'auth.external.done': Message
  'auth.external.only': Message<{ provider: string | number }>
  'auth.undo.title': Message
  'auth.undo.done': Message
  'auth.undo.next': Message
  'auth.undo.about': Message
  'auth.undo.button': Message
  'auth.unsubscribe.title': Message
  'auth.unsubscribe.done': Message
  'auth.unsubscribe.settings': Message
  'auth.digest.title': Message
  'auth.digest.intro': Message
  'auth.digest.introBoard': Message<{ name: string | number }>
  'auth.digest.ask': Message
  'auth.digest.about': Message
  'auth.digest.asked': Message
  'auth.digest.confirmIntro': Message
  'auth.digest.confirm': Message
  'auth.digest.begun': Message
  'auth.digest.ends': Message
  'auth.digest.ended': Message
  'auth.digest.link': Message
}
