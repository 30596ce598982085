// The messages of the area setup, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface SetupMessages {
  'setup.title': Message
  'setup.intro': Message
  'setup.needsLink': Message
  'setup.name': Message
  'setup.nameHelp': Message
  'setup.readers': Message
  'setup.readers.everyone': Message
  'setup.readers.members': Message
  'setup.readersHelp': Message
  'setup.signUp': Message
  'setup.signUp.open': Message
  'setup.signUp.invited': Message
  'setup.signUp.closed': Message
  'setup.signUpHelp': Message
  'setup.domains': Message
  'setup.domainsHelp': Message
  'setup.mailFrom': Message
  'setup.mailFromHelp': Message
  'setup.admin.legend': Message
  'setup.admin.name': Message
  'setup.admin.email': Message
  'setup.admin.emailHelp': Message
  'setup.admin.toFolder': Message<{ folder: string | number }>
  'setup.admin.toHost': Message<{ host: string | number; from: string | number }>
  'setup.admin.sendCode': Message
  'setup.admin.sent': Message<{ email: string | number }>
  'setup.admin.code': Message
  'setup.admin.codeHelp': Message
  'setup.finish': Message
  'setup.done.title': Message
  'setup.done.intro': Message
  'setup.done.passkey': Message
  'setup.done.passkeyAbout': Message
  'setup.done.admin': Message
  'setup.done.adminAbout': Message
  'setup.done.username': Message
  'setup.done.usernameAbout': Message
  'setup.purpose': Message
  'setup.purposeHelp': Message
  'setup.samples': Message
  'setup.samples.none': Message
  'setup.samples.some': Message
  'setup.samplesHelp': Message
}
