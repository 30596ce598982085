// Every attack, in the order it is tried: those that fill the server come late, so that they do not weigh on the others.
import { access } from './access.ts'
import { agents } from './agents.ts'
import { archives } from './archives.ts'
import { assistant } from './assistant.ts'
import type { Attack } from './attack.ts'
import { boards } from './boards.ts'
import { bounds } from './bounds.ts'
import { chats } from './chats.ts'
import { classifier } from './classifier.ts'
import { consent } from './consent.ts'
import { copying } from './copying.ts'
import { crowds } from './crowds.ts'
import { csrf } from './csrf.ts'
import { device } from './device.ts'
import { dpop } from './dpop.ts'
import { exhausting } from './exhausting.ts'
import { externalSignIn } from './external-sign-in.ts'
import { feedback } from './feedback.ts'
import { filling } from './filling.ts'
import { floods } from './floods.ts'
import { grants } from './grants.ts'
import { handingOn } from './handing-on.ts'
import { helpers } from './helpers.ts'
import { hijacking } from './hijacking.ts'
import { hosts } from './hosts.ts'
import { imports } from './imports.ts'
import { inside } from './inside.ts'
import { invitations } from './invitations.ts'
import { judging } from './judging.ts'
import { knownAgents } from './known-agents.ts'
import { lockout } from './lockout.ts'
import { marketplace } from './marketplace.ts'
import { outcomes } from './outcomes.ts'
import { passwords } from './passwords.ts'
import { personalTokens } from './personal-tokens.ts'
import { pictures } from './pictures.ts'
import { privateMode } from './private.ts'
import { programs } from './programs.ts'
import { provisioning } from './provisioning.ts'
import { redirects } from './redirects.ts'
import { registry } from './registry.ts'
import { repeating } from './repeating.ts'
import { replies } from './replies.ts'
import { scripts } from './scripts.ts'
import { secretApps } from './secret-apps.ts'
import { secrets } from './secrets.ts'
import { setUp } from './set-up.ts'
import { settings } from './settings.ts'
import { shapesOfFiles } from './shapes.ts'
import { staging } from './staging.ts'
import { parsing } from './stopping.ts'
import { storedHtml } from './stored-html.ts'
import { strength } from './strength.ts'
import { subscriptions } from './subscriptions.ts'
import { suggestions } from './suggestions.ts'
import { texts } from './texts.ts'
import { threads } from './threads.ts'
import { tokens } from './tokens.ts'
import { trackers } from './trackers.ts'
import { trustedPublishing } from './trusted-publishing.ts'
import { closedWays } from './ways-in.ts'
import { widget } from './widget.ts'
import { wire } from './wire.ts'
import { words } from './words.ts'

export const attacks: readonly Attack[] = [
  storedHtml,
  hijacking,
  archives,
  csrf,
  consent,
  device,
  words,
  texts,
  lockout,
  redirects,
  passwords,
  tokens,
  invitations,
  setUp,
  externalSignIn,
  personalTokens,
  trustedPublishing,
  knownAgents,
  strength,
  handingOn,
  helpers,
  bounds,
  agents,
  scripts,
  grants,
  provisioning,
  secretApps,
  widget,
  chats,
  trackers,
  access,
  privateMode,
  pictures,
  boards,
  judging,
  settings,
  imports,
  suggestions,
  classifier,
  assistant,
  threads,
  closedWays,
  repeating,
  wire,
  hosts,
  inside,
  subscriptions,
  registry,
  marketplace,
  programs,
  floods,
  copying,
  dpop,
  secrets,
  parsing,
  exhausting,
  filling,
  staging,
  shapesOfFiles,
  crowds,
  outcomes,
  feedback,
  replies,
].flat()
