// The messages of the area oauth, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface OauthMessages {
  'oauth.scopes.identity': Message
  'oauth.scopes.read': Message
  'oauth.scopes.write': Message
  'oauth.scopes.stay': Message
  'oauth.scope.openid': Message
  'oauth.scope.profile': Message
  'oauth.scope.email': Message
  'oauth.scope.offline_access': Message
  'oauth.scope.community_read': Message
  'oauth.scope.community_write': Message
  'oauth.scope.library_read': Message
  'oauth.scope.library_write': Message
  'oauth.allowName': Message<{ name: string | number }>
  'oauth.wants': Message<{ name: string | number }>
  'oauth.own': Message
  'oauth.described': Message<{ host: string | number }>
  'oauth.selfNamed': Message
  'oauth.returns': Message<None, 'place'>
  'oauth.able': Message
  'oauth.leaveOut': Message
  'oauth.deny': Message
  'oauth.allow': Message
  'oauth.signedInAs': Message<{ account: string | number }>
  'oauth.another': Message
  'oauth.pick': Message
  'oauth.username': Message
  'oauth.usernameHelp': Message
  'oauth.usernameSave': Message
  'oauth.device.titleError': Message
  'oauth.device.connected': Message
  'oauth.device.denied': Message
  'oauth.device.title': Message
  'oauth.device.code.help': Message
  'oauth.device.code': Message
  'oauth.continue': Message
  'oauth.device.own': Message
  'oauth.device.from': Message
  'oauth.device.program': Message
  'oauth.device.network': Message<{ device: string | number; near: 'yes' | string }, 'network'>
  'oauth.device.asked': Message
  'oauth.device.far': Message
  'oauth.device.compare': Message
  'oauth.device.goesOn': Message
  'oauth.device.noAccess': Message
  'oauth.device.apps': Message<None, 'link'>
  'oauth.problem': Message
  'oauth.problem.notSignedIn': Message
  'oauth.problem.leaving': Message<None, 'place'>
  'oauth.problem.only': Message
  'oauth.problem.goOn': Message<{ host: string | number }>
  'oauth.problem.back': Message
  'oauth.signIn.titleError': Message
  'oauth.signIn.to': Message<{ name: string | number }>
  'oauth.signIn.new': Message
  'oauth.signIn.newLimited': Message
  'oauth.signIn.email': Message
  'oauth.signIn.password': Message
  'oauth.signIn': Message
  'oauth.signIn.code': Message
  'oauth.signIn.passkey': Message
  'oauth.signIn.passkeyAsked': Message
  'oauth.signIn.passkeyNone': Message<None, 'link'>
  'oauth.signIn.passkeyOut': Message
  'oauth.signIn.passkeyGo': Message
  'oauth.signIn.again': Message
  'oauth.bound.asked': Message
  'oauth.bound.none': Message
  'oauth.bound.day': Message
  'oauth.bound.careful': Message
  'oauth.bound.ask': Message<{ kinds: string | number }>
  'oauth.bound.talk': Message
  'oauth.bounds.kinds': Message<{ kinds: string | number }>
  'oauth.bounds.nothing': Message
  'oauth.bounds.asks': Message<{ kinds: string | number }>
  'oauth.bounds.writes': Message<{ count: string | number }>
  'oauth.bounds.calls': Message<{ count: string | number }>
  'oauth.bounds.bytes': Message<{ size: string | number }>
  'oauth.bounds.ends': Message<{ day: string | number }>
}
