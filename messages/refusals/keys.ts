// The messages of the area refusals, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface RefusalsMessages {
  'refusals.setUpAlready': Message
  'refusals.setUpLink': Message
  'refusals.blocked': Message
  'refusals.forbidden': Message
  'refusals.noUser': Message
  'refusals.wrongPassword': Message
  'refusals.signInFirst': Message
  'refusals.sessionEnded': Message
  'refusals.wrongCode': Message
  'refusals.wrongCodeField': Message
  'refusals.requestBytes': Message<{ bytes: string | number }>
  'refusals.noVersion': Message<{ version: string | number }>
  'refusals.noVersionIs': Message<{ range: string | number }>
  'refusals.linkOver': Message
  'refusals.linkInvalid': Message
  'refusals.nothingHere': Message
  'refusals.noPasskey': Message
  'refusals.noLabel': Message
  'refusals.noInvitation': Message
  'refusals.noFile': Message
  'refusals.noExport': Message
  'refusals.semver': Message
  'refusals.otherSite': Message
  'refusals.ownersOnly': Message
  'refusals.notNewer': Message<{ version: string | number; current: string | number }>
  'refusals.fileSlow': Message
  'refusals.compareSlow': Message
  'refusals.busy': Message
  'refusals.providerFailed': Message<{ name: string | number }>
  'refusals.accountChanged': Message
  'refusals.wrongSignIn': Message
  'refusals.sessionBeganEnded': Message
  'refusals.passkeyInvalid': Message
  'refusals.signInOrToken': Message
  'refusals.otherBrowser': Message
  'refusals.expectedItems': Message
  'refusals.maxFiles': Message<{ count: string | number }>
  'refusals.maxLabels': Message<{ count: string | number }>
  'refusals.missingLabel': Message<{ name: string | number }>
  'refusals.largerThan': Message<{ bytes: string | number }>
  'refusals.bodyLarger': Message<{ bytes: string | number }>
  'refusals.scanFound': Message<{ what: string | number }>
  'refusals.scanUnfinished': Message
  'refusals.uploadsAtOnce': Message<{ count: string | number }>
  'refusals.uploadsFull': Message
  'refusals.bodySlow': Message
  'refusals.uploadsAnHour': Message<{ count: string | number }>
  'refusals.tooManyTries': Message
  'refusals.tooManyCodes': Message
  'refusals.noScan': Message<{ version: string | number }>
  'refusals.itemNoVersion': Message<{ version: string | number }>
  'refusals.noMemberCalled': Message<{ name: string | number }>
  'refusals.noFileIn': Message<{ file: string | number; version: string | number }>
  'refusals.noAccount': Message<{ account: string | number }>
  'refusals.noSuch': Message<{ thing: string | number }>
  'refusals.versionNotPublic': Message
  'refusals.labelNotOn': Message<{ thing: string | number }>
  'refusals.noOwnerOf': Message
  'refusals.notInTeam': Message
  'refusals.nothingToReport': Message
  'refusals.nothingToAsk': Message
  'refusals.closedToMachines': Message
  'refusals.machineAway': Message
  'refusals.machineSpent': Message
  'refusals.nothingToFollow': Message
  'refusals.noTeam': Message
  'refusals.noFileThere': Message
  'refusals.noProvider': Message
  'refusals.externalOnly': Message
  'refusals.noExternalAdmin': Message
  'refusals.secretElsewhere': Message<{ name: string | number }>
  'refusals.secretAgain': Message<{ name: string | number }>
  'refusals.providerStays': Message
  'refusals.externalNeeded': Message
  'refusals.passkeyNeeded': Message
  'refusals.noPasskeyAdmin': Message
  'refusals.rolePasskey': Message
  'refusals.noSuchLink': Message
  'refusals.noLink': Message
  'refusals.linkNothing': Message
  'refusals.verifyFirst': Message
  'refusals.openLinks': Message<{ count: string | number }>
  'refusals.scimTokens': Message<{ count: string | number }>
  'refusals.secretClients': Message<{ count: string | number }>
  'refusals.blockedByCompany': Message
  'refusals.companyBlocked': Message
  'refusals.noNumber': Message
  'refusals.noWebhook': Message
  'refusals.noAddress': Message
  'refusals.noToken': Message
  'refusals.noApp': Message
  'refusals.noSignIn': Message
  'refusals.noSession': Message
  'refusals.noSavedFilter': Message
  'refusals.sharedFilterModerators': Message
  'refusals.notOfBoard': Message
  'refusals.noSuchFilter': Message<{ name: string | number }>
  'refusals.maxShared': Message<{ count: string | number }>
  'refusals.noRun': Message
  'refusals.noPicture': Message
  'refusals.noPendingAct': Message
  'refusals.noNotice': Message
  'refusals.noKey': Message
  'refusals.noImage': Message
  'refusals.noDelivery': Message
  'refusals.noComment': Message
  'refusals.noCommentHere': Message
  'refusals.noCase': Message
  'refusals.noBlogPost': Message
  'refusals.noAppeal': Message
  'refusals.noAgent': Message
  'refusals.noAct': Message
  'refusals.noConnected': Message
  'refusals.versionMismatch': Message<{ asked: string | number; inFile: string | number }>
  'refusals.successorUnseen': Message<{ name: string | number }>
  'refusals.kindIs': Message<{ kind: string | number }>
  'refusals.nothingNumber': Message<{ number: string | number }>
  'refusals.noStatus': Message<{ number: string | number }>
  'refusals.noBugAbout': Message<{ number: string | number }>
  'refusals.giveItem': Message
  'refusals.onlyItemComments': Message
  'refusals.askedBefore': Message
  'refusals.mustUtf8': Message
  'refusals.fileRequired': Message
  'refusals.notOffered': Message
  'refusals.fileNotTaken': Message
  'refusals.rangeOrVersion': Message
  'refusals.passwordCommon': Message
  'refusals.usernameTaken': Message
  'refusals.exactlyOne': Message
  'refusals.otherItem': Message
  'refusals.signatureWrong': Message
  'refusals.responseInvalid': Message
  'refusals.reasonForAuthor': Message
  'refusals.reasonOthers': Message
  'refusals.passwordOrCode': Message
  'refusals.keyUnknown': Message
  'refusals.runFiles': Message
  'refusals.sameEmail': Message
  'refusals.answered': Message
  'refusals.requestExpired': Message
  'refusals.leaveOne': Message
  'refusals.codeUsed': Message
  'refusals.preparedOld': Message
  'refusals.otherAutomation': Message<{ id: string | number }>
  'refusals.wrong': Message<{ id: string | number }>
  'refusals.galleryOrg': Message
  'refusals.ownersCan': Message<{ what: string | number }>
  'refusals.providerUnverified': Message<{ name: string | number }>
  'refusals.maySignUp': Message
  'refusals.ownerAnswers': Message
  'refusals.publisherSigns': Message
  'refusals.ownersDelete': Message
  'refusals.ownersWebhooks': Message
  'refusals.ownersPublish': Message
  'refusals.membersPublish': Message
  'refusals.adminsStatus': Message
  'refusals.adminsOfficial': Message
  'refusals.mailedCodeOnly': Message
  'refusals.adminYanked': Message
  'refusals.adminDeletion': Message
  'refusals.published': Message
  'refusals.hidden': Message
  'refusals.aboutUnreadable': Message
  'refusals.changedSinceAsked': Message
  'refusals.noLongerWaits': Message<{ state: string | number }>
  'refusals.labelExists': Message<{ name: string | number }>
  'refusals.decidedStatus': Message<{ status: string | number }>
  'refusals.maxInvitations': Message<{ count: string | number }>
  'refusals.maxConnected': Message<{ count: string | number }>
  'refusals.maxWebhooks': Message<{ count: string | number }>
  'refusals.maxTokens': Message<{ count: string | number }>
  'refusals.maxSaved': Message<{ count: string | number }>
  'refusals.maxPasskeys': Message<{ count: string | number }>
  'refusals.maxKeys': Message<{ count: string | number }>
  'refusals.maxTeams': Message<{ count: string | number }>
  'refusals.maxTeamItems': Message<{ count: string | number }>
  'refusals.cannotDelete': Message<{ what: string | number }>
  'refusals.emailHasAccount': Message
  'refusals.emailTaken': Message
  'refusals.reportedAlready': Message
  'refusals.blockSelf': Message
  'refusals.inviterGone': Message
  'refusals.mergedAway': Message
  'refusals.tooManyDeliveries': Message
  'refusals.webhookTemplateNames': Message<{ names: string | number }>
  'refusals.webhookTemplateChat': Message
  'refusals.webhookTokenMatrix': Message
  'refusals.webhookTokenNeeded': Message
  'refusals.webhookTokenElsewhere': Message
  'refusals.webhookToken': Message
  'refusals.webhookWhole': Message
  'refusals.webhookRoom': Message<{ address: string | number }>
  'refusals.webhookSignsNot': Message
  'refusals.chatTooOld': Message
  'refusals.chatOfOther': Message
  'refusals.maxChatLinks': Message<{ count: string | number }>
  'refusals.guestReports': Message
  'refusals.matrixOnce': Message
  'refusals.noChatLink': Message
  'refusals.pushOff': Message
  'refusals.pushMost': Message<{ count: string | number }>
  'refusals.pushAgain': Message
  'refusals.pushKey': Message
  'refusals.noPushBrowser': Message
  'refusals.webhookDisabled': Message
  'refusals.undone': Message
  'refusals.undoneAlready': Message
  'refusals.decidedAlready': Message
  'refusals.editedSince': Message
  'refusals.passkeyExists': Message
  'refusals.mergeFinal': Message
  'refusals.keyExists': Message
  'refusals.yourself': Message
  'refusals.yourOwn': Message
  'refusals.lastAdmin': Message
  'refusals.teamInvitation': Message
  'refusals.externalElsewhere': Message
  'refusals.caseClosed': Message
  'refusals.addressHasAccount': Message
  'refusals.nothingToUndo': Message
  'refusals.notBlocked': Message
  'refusals.appealExists': Message
  'refusals.lastVersion': Message
  'refusals.deletionNotRequested': Message
  'refusals.deletionRequested': Message
  'refusals.beingErased': Message
  'refusals.signUpClosed': Message
  'refusals.deletedThirtyDays': Message
  'refusals.waitsForApproval': Message
  'refusals.onlyWayIn': Message
  'refusals.stillMerging': Message
  'refusals.notMerged': Message
  'refusals.mergedAlready': Message
  'refusals.goneDismiss': Message
  'refusals.goneAuthor': Message
  'refusals.intoItself': Message
  'refusals.deleteInSettings': Message
  'refusals.exportPrepared': Message
  'refusals.profileStays': Message
  'refusals.mergeUndoing': Message
  'refusals.beingDeleted': Message
  'refusals.freshToken': Message
  'refusals.confirmFirst': Message
  'refusals.storageFull': Message<{ bytes: string | number; most: string | number }>
  'refusals.passwordPersonal': Message
  'refusals.newAccountLinks': Message
  'refusals.signInConnect': Message<{ name: string | number }>
  'refusals.required': Message
  'refusals.atLeastCharacters': Message<{ count: string | number }>
  'refusals.atLeastCharacter': Message<{ count: string | number }>
  'refusals.atMostCharacters': Message<{ count: string | number }>
  'refusals.atLeastEntries': Message<{ count: string | number }>
  'refusals.atLeastEntry': Message<{ count: string | number }>
  'refusals.atMostEntries': Message<{ count: string | number }>
  'refusals.atLeast': Message<{ count: string | number }>
  'refusals.atMost': Message<{ count: string | number }>
  'refusals.oneOf': Message<{ values: string | number }>
  'refusals.letters': Message
  'refusals.lettersHyphens': Message
  'refusals.lowerHyphens': Message
  'refusals.https': Message
  'refusals.httpsOf': Message<{ hosts: string | number }>
  'refusals.httpsNoPassword': Message
  'refusals.email': Message
  'refusals.colour': Message
  'refusals.wellFormed': Message
  'refusals.tenTags': Message
  'refusals.kindAndSlug': Message
  'refusals.orgBytes': Message
  'refusals.closesMost': Message<{ count: string | number }>
  'refusals.pagePath': Message
  'refusals.listPath': Message
  'refusals.oneScope': Message
  'refusals.requests': Message<{ seconds: string | number }>
  'refusals.galleryScans': Message
  'refusals.mustBe': Message<{ value: string | number }>
  'refusals.bytesMost': Message<{ bytes: string | number }>
  'refusals.storageFullVerify': Message<{ bytes: string | number; most: string | number }>
  'refusals.storageShared': Message<{ bytes: string | number; most: string | number }>
  'refusals.storageSharedVerify': Message<{ bytes: string | number; most: string | number }>
  'refusals.changedElsewhere': Message
  'refusals.noPost': Message
  'refusals.noBug': Message
  'refusals.noFeature': Message
  'refusals.noOrg': Message
  'refusals.noRelease': Message
  'refusals.noItem': Message
  'refusals.ownersYank': Message
  'refusals.ownersDeleteVersion': Message
  'refusals.ownersDeprecate': Message
  'refusals.deletableItemOld': Message
  'refusals.deletableItemDownloaded': Message
  'refusals.deletableItemUsed': Message
  'refusals.deletableVersionOld': Message
  'refusals.deletableVersionDownloaded': Message
  'refusals.outcomeByPublisher': Message
  'refusals.outcomeNotDownloaded': Message
  'refusals.outcomeTexts': Message
  'refusals.deletableVersionUsed': Message
  'refusals.decidedWontfix': Message
  'refusals.decidedShipped': Message
  'refusals.noLongerWaitsApproved': Message
  'refusals.noLongerWaitsMade': Message
  'refusals.noLongerWaitsFailed': Message
  'refusals.noLongerWaitsRefused': Message
  'refusals.noLongerWaitsWithdrawn': Message
  'refusals.noLongerWaitsExpired': Message
  'refusals.noLongerWaitsEnded': Message
  'refusals.subscriptionOfAgent': Message
  'refusals.scanTags': Message
  'refusals.scanSelectors': Message
  'refusals.scanDirection': Message
  'refusals.scanWidthless': Message<{ count: string | number }>
  'refusals.scanJoiners': Message
  'refusals.scanIgnore': Message
  'refusals.scanKeepFrom': Message
  'refusals.scanFrame': Message
  'refusals.scanAsks': Message
  'refusals.scanSends': Message
  'refusals.scanCommentTo': Message
  'refusals.scanComment': Message
  'refusals.scanNameIs': Message<{ item: string | number }>
  'refusals.scanNameLike': Message<{ item: string | number }>
  'refusals.scanSlugIs': Message<{ item: string | number }>
  'refusals.scanSlugLike': Message<{ item: string | number }>
  'refusals.scanShell': Message
  'refusals.scanFile': Message
  'refusals.scanPowerShell': Message
  'refusals.scanPython': Message
  'refusals.scanJavaScript': Message
  'refusals.scanLoaded': Message
  'refusals.scanDecodedShell': Message
  'refusals.scanDecodedJavaScript': Message
  'refusals.scanDecodedPython': Message
  'refusals.scanEncoded': Message
  'refusals.scanLongEncoded': Message
  'refusals.scanTooLong': Message<{ size: string | number }>
  'refusals.scanPackage': Message
  'refusals.scanSecret': Message<{ kind: string | number }>
  'refusals.appUnknown': Message
  'refusals.appRedirect': Message
  'refusals.appInvalid': Message<{ reason: string | number }>
  'refusals.ourFault': Message
  'refusals.deviceWrong': Message
  'refusals.deviceTooOld': Message
  'refusals.deviceTooWeak': Message
  'refusals.typePassword': Message
  'refusals.scanWidthlessOne': Message
  'refusals.otherBytes': Message<{ item: string | number }>
  'refusals.codeByDetour': Message
  'refusals.settingsChanged': Message
  'refusals.noSettingChange': Message
  'refusals.settingChangedSince': Message<{ name: string | number }>
  'refusals.noLiveSetting': Message<{ name: string | number }>
  'refusals.settingOfEnvironment': Message<{ name: string | number }>
  'refusals.settingHttps': Message
  'refusals.noSetting': Message
  'refusals.notDeletable': Message
  'refusals.locked': Message
  'refusals.noSuchThread': Message
  'refusals.maxPinned': Message<{ count: string | number }>
  'refusals.maxAssignees': Message<{ count: string | number }>
  'refusals.notAssigned': Message
  'refusals.authorGone': Message
  'refusals.noSuchThing': Message
  'refusals.suggestedAlready': Message
  'refusals.noBoard': Message
  'refusals.othersWrite': Message
  'refusals.boardArchived': Message
  'refusals.otherReaders': Message
  'refusals.everyoneReads': Message
  'refusals.boardTaken': Message<{ slug: string | number }>
  'refusals.maxBoards': Message<{ count: string | number }>
  'refusals.boardTurned': Message<{ count: string | number }>
  'refusals.firstBoardArchived': Message
  'refusals.firstBoardDeleted': Message
  'refusals.firstBoardRules': Message
  'refusals.boardNotEmpty': Message
  'refusals.notInvited': Message
  'refusals.firstBoardInvites': Message
  'refusals.boardTrust': Message
  'refusals.ruleTeam': Message
  'refusals.noSuchLabel': Message
  'refusals.maxSuggestions': Message<{ count: string | number }>
  'refusals.maxLinks': Message<{ count: string | number }>
  'refusals.notAsked': Message
  'refusals.proofMissing': Message
  'refusals.proofWrong': Message
  'refusals.proofUsed': Message
  'refusals.proofOff': Message
  'refusals.belongsToOther': Message<{ name: string | number }>
  'refusals.versionOf': Message<{ name: string | number; kind: string | number }>
  'refusals.noPublisher': Message
  'refusals.seesPublishers': Message
  'refusals.itemOrName': Message
  'refusals.whichRuns': Message
  'refusals.ownersLetCi': Message
  'refusals.tokenPublishes': Message<{ name: string | number }>
  'refusals.runEnded': Message
  'refusals.peopleSee': Message
  'refusals.ownersChange': Message
  'refusals.confirmPasskey': Message
  'refusals.widgetIdentity': Message<{ why: string | number }>
  'refusals.widgetOff': Message
  'refusals.widgetNoBugs': Message
  'refusals.widgetRoom': Message
  'refusals.widgetSite': Message
  'refusals.widgetKeys': Message<{ count: string | number }>
  'refusals.widgetToken': Message
  'refusals.importPlace': Message
  'refusals.importReading': Message
  'refusals.importStep': Message
  'refusals.trackerAway': Message<{ service: string | number; setting: string | number }>
  'refusals.trackerNone': Message
  'refusals.trackerSilent': Message
  'refusals.trackerOwn': Message
  'refusals.trackerLinked': Message<{ login: string | number }>
  'refusals.trackerOfOther': Message
  'refusals.trackerNobody': Message
  'refusals.trackersMost': Message<{ count: string | number }>
  'refusals.trackerRepository': Message
  'refusals.trackerBoard': Message
  'refusals.trackerPerson': Message<{ service: string | number }>
  'refusals.trackerSigned': Message
  'refusals.trackerDelivery': Message
  'refusals.importOffer': Message
  'refusals.importGoing': Message
  'refusals.importTaken': Message
  'refusals.freshPasskey': Message
  'refusals.maxBookmarks': Message<{ count: string | number }>
  'refusals.noGuestDigests': Message
  'refusals.maxGuests': Message
  'refusals.exportIsPrepared': Message
}
