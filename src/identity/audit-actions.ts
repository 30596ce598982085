// What the audit log records of accounts, their credentials and their apps. Some of it is done by operations, which name it in
// their contracts, the rest by endpoints of OAuth and at the command line.
import { auditActions } from '../contract/audit.ts'

export const accountActions = auditActions('account', {
  'take-over': 'Reset an account that was never verified',
  'request-deletion': 'Requested the deletion of an account',
  'cancel-deletion': 'Cancelled the deletion of an account',
  erase: 'Erased an account',
  'change-email': 'Changed an email address',
  'undo-email-change': 'Undid a change of email address',
  reset: 'Removed the credentials of an account',
})
export const signUpActions = auditActions('sign-up', {
  invite: 'Invited an address to sign up',
  'take-back': 'Took back an invitation to sign up',
  link: 'Made a link that invites',
  'revoke-link': 'Revoked a link that invites',
  'use-link': 'Used a link that invites',
})
export const externalActions = auditActions('external-account', {
  link: 'Connected an external account',
  unlink: 'Disconnected an external account',
})
export const chatActions = auditActions('chat', {
  link: 'Linked a user of a chat',
  unlink: 'Ended the link of a user of a chat',
})
export const trackerAccountActions = auditActions('tracker-account', {
  link: 'Proved to be a person of another tracker',
  unlink: 'Ended the link with a person of another tracker',
})
export const setupActions = auditActions('setup', { finish: 'Set the instance up' })
export const roleActions = auditActions('role', { change: 'Changed a role' })
export const userActions = auditActions('user', { block: 'Blocked an account', unblock: 'Unblocked an account' })
export const passwordActions = auditActions('password', { change: 'Changed a password' })
export const passkeyActions = auditActions('passkey', {
  add: 'Added a passkey',
  rename: 'Renamed a passkey',
  remove: 'Removed a passkey',
})
export const sessionActions = auditActions('session', {
  end: 'Signed out a browser',
  'end-others': 'Signed out all other browsers',
  signal: 'Signed out all browsers, as another server said',
})
export const clientActions = auditActions('client', { register: 'Registered an app' })
export const grantActions = auditActions('sign-in', {
  open: 'Authorized an app',
  end: 'Revoked access of an app',
  'end-helper': 'Ended a helper of an app',
  change: 'Changed what an app may do',
})
export const tokenActions = auditActions('token', {
  issue: 'Issued a token',
  refresh: 'Refreshed a token',
  'hand-on': 'Handed a token on',
  revoke: 'Revoked a token',
})
export const personalTokenActions = auditActions('personal-token', {
  create: 'Made a personal access token',
  revoke: 'Revoked a personal access token',
})
export const workloadActions = auditActions('workload', {
  create: 'Let a program in by its workload identity',
  remove: 'Stopped letting a program in by its workload identity',
})
export const publishingActions = auditActions('publishing-run', { let: 'Let a run of a CI publish' })
export const feedKeyActions = auditActions('feed-key', {
  renew: 'Made another key of feeds',
  end: 'Ended the key of feeds',
})
export const signingKeyActions = auditActions('signing-key', { rotate: 'Made another signing key' })
