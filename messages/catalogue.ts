// Every area of the catalogue.
// Derived by npm run derive; do not edit.
import admin_en from './admin/en.json' with { type: 'json' }
import admin_de from './admin/de.json' with { type: 'json' }
import type { AdminMessages } from './admin/keys.ts'
import auth_en from './auth/en.json' with { type: 'json' }
import auth_de from './auth/de.json' with { type: 'json' }
import type { AuthMessages } from './auth/keys.ts'
import blog_en from './blog/en.json' with { type: 'json' }
import blog_de from './blog/de.json' with { type: 'json' }
import type { BlogMessages } from './blog/keys.ts'
import chat_en from './chat/en.json' with { type: 'json' }
import chat_de from './chat/de.json' with { type: 'json' }
import type { ChatMessages } from './chat/keys.ts'
import community_en from './community/en.json' with { type: 'json' }
import community_de from './community/de.json' with { type: 'json' }
import type { CommunityMessages } from './community/keys.ts'
import docs_en from './docs/en.json' with { type: 'json' }
import docs_de from './docs/de.json' with { type: 'json' }
import type { DocsMessages } from './docs/keys.ts'
import editor_en from './editor/en.json' with { type: 'json' }
import editor_de from './editor/de.json' with { type: 'json' }
import type { EditorMessages } from './editor/keys.ts'
import errors_en from './errors/en.json' with { type: 'json' }
import errors_de from './errors/de.json' with { type: 'json' }
import type { ErrorsMessages } from './errors/keys.ts'
import frame_en from './frame/en.json' with { type: 'json' }
import frame_de from './frame/de.json' with { type: 'json' }
import type { FrameMessages } from './frame/keys.ts'
import home_en from './home/en.json' with { type: 'json' }
import home_de from './home/de.json' with { type: 'json' }
import type { HomeMessages } from './home/keys.ts'
import item_en from './item/en.json' with { type: 'json' }
import item_de from './item/de.json' with { type: 'json' }
import type { ItemMessages } from './item/keys.ts'
import kinds_en from './kinds/en.json' with { type: 'json' }
import kinds_de from './kinds/de.json' with { type: 'json' }
import type { KindsMessages } from './kinds/keys.ts'
import library_en from './library/en.json' with { type: 'json' }
import library_de from './library/de.json' with { type: 'json' }
import type { LibraryMessages } from './library/keys.ts'
import mails_en from './mails/en.json' with { type: 'json' }
import mails_de from './mails/de.json' with { type: 'json' }
import type { MailsMessages } from './mails/keys.ts'
import moderation_en from './moderation/en.json' with { type: 'json' }
import moderation_de from './moderation/de.json' with { type: 'json' }
import type { ModerationMessages } from './moderation/keys.ts'
import notifications_en from './notifications/en.json' with { type: 'json' }
import notifications_de from './notifications/de.json' with { type: 'json' }
import type { NotificationsMessages } from './notifications/keys.ts'
import oauth_en from './oauth/en.json' with { type: 'json' }
import oauth_de from './oauth/de.json' with { type: 'json' }
import type { OauthMessages } from './oauth/keys.ts'
import onboarding_en from './onboarding/en.json' with { type: 'json' }
import onboarding_de from './onboarding/de.json' with { type: 'json' }
import type { OnboardingMessages } from './onboarding/keys.ts'
import operations_en from './operations/en.json' with { type: 'json' }
import operations_de from './operations/de.json' with { type: 'json' }
import type { OperationsMessages } from './operations/keys.ts'
import orgs_en from './orgs/en.json' with { type: 'json' }
import orgs_de from './orgs/de.json' with { type: 'json' }
import type { OrgsMessages } from './orgs/keys.ts'
import profile_en from './profile/en.json' with { type: 'json' }
import profile_de from './profile/de.json' with { type: 'json' }
import type { ProfileMessages } from './profile/keys.ts'
import refusals_en from './refusals/en.json' with { type: 'json' }
import refusals_de from './refusals/de.json' with { type: 'json' }
import type { RefusalsMessages } from './refusals/keys.ts'
import said_en from './said/en.json' with { type: 'json' }
import said_de from './said/de.json' with { type: 'json' }
import type { SaidMessages } from './said/keys.ts'
import samples_en from './samples/en.json' with { type: 'json' }
import samples_de from './samples/de.json' with { type: 'json' }
import type { SamplesMessages } from './samples/keys.ts'
import script_en from './script/en.json' with { type: 'json' }
import script_de from './script/de.json' with { type: 'json' }
import type { ScriptMessages } from './script/keys.ts'
import search_en from './search/en.json' with { type: 'json' }
import search_de from './search/de.json' with { type: 'json' }
import type { SearchMessages } from './search/keys.ts'
import settings_en from './settings/en.json' with { type: 'json' }
import settings_de from './settings/de.json' with { type: 'json' }
import type { SettingsMessages } from './settings/keys.ts'
import setup_en from './setup/en.json' with { type: 'json' }
import setup_de from './setup/de.json' with { type: 'json' }
import type { SetupMessages } from './setup/keys.ts'
import share_en from './share/en.json' with { type: 'json' }
import share_de from './share/de.json' with { type: 'json' }
import type { ShareMessages } from './share/keys.ts'
import teams_en from './teams/en.json' with { type: 'json' }
import teams_de from './teams/de.json' with { type: 'json' }
import type { TeamsMessages } from './teams/keys.ts'
import ui_en from './ui/en.json' with { type: 'json' }
import ui_de from './ui/de.json' with { type: 'json' }
import type { UiMessages } from './ui/keys.ts'
import widget_en from './widget/en.json' with { type: 'json' }
import widget_de from './widget/de.json' with { type: 'json' }
import type { WidgetMessages } from './widget/keys.ts'

export interface Messages extends AdminMessages, AuthMessages, BlogMessages, ChatMessages, CommunityMessages, DocsMessages, EditorMessages, ErrorsMessages, FrameMessages, HomeMessages, ItemMessages, KindsMessages, LibraryMessages, MailsMessages, ModerationMessages, NotificationsMessages, OauthMessages, OnboardingMessages, OperationsMessages, OrgsMessages, ProfileMessages, RefusalsMessages, SaidMessages, SamplesMessages, ScriptMessages, SearchMessages, SettingsMessages, SetupMessages, ShareMessages, TeamsMessages, UiMessages, WidgetMessages {}

export const areas = {
  admin: { en: admin_en, de: admin_de },
  auth: { en: auth_en, de: auth_de },
  blog: { en: blog_en, de: blog_de },
  chat: { en: chat_en, de: chat_de },
  community: { en: community_en, de: community_de },
  docs: { en: docs_en, de: docs_de },
  editor: { en: editor_en, de: editor_de },
  errors: { en: errors_en, de: errors_de },
  frame: { en: frame_en, de: frame_de },
  home: { en: home_en, de: home_de },
  item: { en: item_en, de: item_de },
  kinds: { en: kinds_en, de: kinds_de },
  library: { en: library_en, de: library_de },
  mails: { en: mails_en, de: mails_de },
  moderation: { en: moderation_en, de: moderation_de },
  notifications: { en: notifications_en, de: notifications_de },
  oauth: { en: oauth_en, de: oauth_de },
  onboarding: { en: onboarding_en, de: onboarding_de },
  operations: { en: operations_en, de: operations_de },
  orgs: { en: orgs_en, de: orgs_de },
  profile: { en: profile_en, de: profile_de },
  refusals: { en: refusals_en, de: refusals_de },
  said: { en: said_en, de: said_de },
  samples: { en: samples_en, de: samples_de },
  script: { en: script_en, de: script_de },
  search: { en: search_en, de: search_de },
  settings: { en: settings_en, de: settings_de },
  setup: { en: setup_en, de: setup_de },
  share: { en: share_en, de: share_de },
  teams: { en: teams_en, de: teams_de },
  ui: { en: ui_en, de: ui_de },
  widget: { en: widget_en, de: widget_de },
}
