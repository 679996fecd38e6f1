// Made by generate.mjs of the API document. DO NOT EDIT.
// Made of fe36c10f07fa113ec7cf2223f1256fbecb7a2ce36cf85011ff9563b867bc3ae6.

export interface paths {
    "/api/v2/site/actions/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of action
         * @description Needs one of the packs properties, customers, leads, users, agenda, and the permission SITE_USER:READ, and the right RS:USER_LIST.
         */
        get: operations["listActionTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agencies in scope, page by page
         * @description Needs one of the packs properties, customers, leads, agencies, websites, sales, and the permission SITE_AGENCY:READ, and the right RS:AGENCY_LIST.
         */
        get: operations["listAgencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agencies/{agencyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one agency with its users
         * @description Needs one of the packs properties, customers, leads, agencies, websites, sales, and the permission SITE_AGENCY:READ, and the right RS:AGENCY_GET.
         */
        get: operations["getAgency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/availabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when users are free
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_SEARCH.
         */
        get: operations["listAvailabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a calendar event
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_CREATE.
         */
        post: operations["createCalendarEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/events/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search calendar events
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_SEARCH.
         */
        post: operations["searchCalendarEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a calendar event
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["getCalendarEvent"];
        put?: never;
        post?: never;
        /**
         * Delete a calendar event with all occurrences
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_DELETE.
         */
        delete: operations["deleteCalendarEvent"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of a calendar event
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        patch: operations["updateCalendarEvent"];
        trace?: never;
    };
    "/api/v2/site/agenda/events/{eventId}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write down what an attendee answers
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        post: operations["answerCalendarEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/events/{eventId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to a calendar event, latest first
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["listEventHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/events/{eventId}/occurrences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when an event takes place
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["listOccurrences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/events/{eventId}/occurrences/{start}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take one occurrence out of an event
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        delete: operations["deleteOccurrence"];
        options?: never;
        head?: never;
        /**
         * Change one occurrence of an event
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        patch: operations["updateOccurrence"];
        trace?: never;
    };
    "/api/v2/site/agenda/events/{eventId}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a visit
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        post: operations["reportVisit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/external-busy/{userId}/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read when another calendar has a user busy
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["getExternalBusy"];
        /**
         * Say when another calendar has a user busy
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        put: operations["putExternalBusy"];
        post?: never;
        /**
         * Forget what another calendar said
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        delete: operations["deleteExternalBusy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/feeds/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a calendar feed for a user
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        post: operations["createCalendarFeed"];
        /**
         * End the calendar feed of a user
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        delete: operations["deleteCalendarFeed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/free-busy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when users are busy
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_SEARCH.
         */
        get: operations["listFreeBusy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/on-duty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is on duty at a moment
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["listOnDuty"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/permanences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is on duty in a window
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["listPermanences"];
        put?: never;
        /**
         * Put a user on duty
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        post: operations["createPermanence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/permanences/{permanenceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a permanence
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["getPermanence"];
        put?: never;
        post?: never;
        /**
         * Delete a permanence with all occurrences
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        delete: operations["deletePermanence"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of a permanence
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        patch: operations["updatePermanence"];
        trace?: never;
    };
    "/api/v2/site/agenda/permanences/{permanenceId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to a permanence, latest first
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["listPermanenceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the agenda settings of the agencies in scope
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["listAgendaSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/settings/{agencyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the agenda settings of an agency
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["getAgendaSettings"];
        /**
         * Replace the agenda settings of an agency
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        put: operations["putAgendaSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of calendar event
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/working-times": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when the active users work
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["listWorkingTimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/agenda/working-times/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read when a user works
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:READ, and the right RS:AGENDA_GET.
         */
        get: operations["getWorkingTime"];
        /**
         * Say when a user works
         * @description Needs one of the packs properties, customers, agenda, and the permission SITE_AGENDA:WRITE, and the right RS:AGENDA_UPDATE.
         */
        put: operations["putWorkingTime"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/booking-holds/{holdId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Give a time back that was kept
         * @description Needs one of the packs websites, agenda, and the permission SITE_BOOKING:WRITE, and the right RS:BOOKING_CREATE.
         */
        delete: operations["deleteBookingHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/bookings/{bookingId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a booking
         * @description Needs one of the packs websites, agenda, and the permission SITE_BOOKING:WRITE, and the right RS:BOOKING_CREATE.
         */
        get: operations["getBooking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/bookings/{bookingId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a booking
         * @description Needs one of the packs websites, agenda, and the permission SITE_BOOKING:WRITE, and the right RS:BOOKING_CREATE.
         */
        post: operations["cancelBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/bookings/{bookingId}/reschedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a booking to another time
         * @description Needs one of the packs websites, agenda, and the permission SITE_BOOKING:WRITE, and the right RS:BOOKING_CREATE.
         */
        post: operations["rescheduleBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/configs/holidays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public holidays of a year
         * @description Needs one of the packs properties, customers, leads, websites, sales, agenda, and the permission SITE_CONFIG, and the right RS:CRITERE_PRODUCT_ALL.
         */
        get: operations["listHolidays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/configs/indices/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values of an index of rents
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        get: operations["listIndexValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/configs/listes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lists of values
         * @description Needs one of the packs properties, customers, leads, websites, and the permission SITE_CONFIG, and the right RS:CRITERE_PRODUCT_ALL.
         */
        get: operations["listLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/configs/listes/{listeId}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values of a list
         * @description Needs one of the packs properties, customers, leads, websites, and the permission SITE_CONFIG, and the right RS:CRITERE_PRODUCT_ALL.
         */
        get: operations["listListValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/criterias/product/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the criteria definitions
         * @description Needs one of the packs properties, customers, leads, websites, and the permission SITE_CONFIG, and the right RS:CRITERE_PRODUCT_ALL.
         */
        get: operations["listCriteria"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/criterias/product/{criteriaId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one criteria definition with its values
         * @description Needs one of the packs properties, customers, leads, websites, and the permission SITE_CONFIG, and the right RS:CRITERE_PRODUCT_GET.
         */
        get: operations["getCriterion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/criterias/product/{criteriaId}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values of a UNIQUE or MULTIPLE criterion
         * @description Needs one of the packs properties, customers, leads, websites, and the permission SITE_CONFIG, and the right RS:CRITERE_PRODUCT_ALL.
         */
        get: operations["listCriterionValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_CREATE.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search customers
         * @description Needs one of the packs customers, leads, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_SEARCH.
         */
        post: operations["searchCustomers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_GET.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Delete a customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_DELETE.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of a customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_UPDATE.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the action history of a customer, latest first
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_GET.
         */
        get: operations["listCustomerActions"];
        put?: never;
        /**
         * Write down an action about a customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_UPDATE.
         */
        post: operations["createCustomerAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/anonymize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove everything personal about a customer for good
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_DELETE.
         */
        post: operations["anonymizeCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read everything that is kept about a customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_GET.
         */
        get: operations["exportCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/follow-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the follow-ups of a customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_GET.
         */
        get: operations["listFollowUps"];
        put?: never;
        /**
         * Attach a product to a customer's follow-up
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_UPDATE.
         */
        post: operations["createFollowUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/follow-ups/{followUpId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Detach a product from a customer's follow-up
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_UPDATE.
         */
        delete: operations["deleteFollowUp"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of a follow-up
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_UPDATE.
         */
        patch: operations["updateFollowUp"];
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to a customer, latest first
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_GET.
         */
        get: operations["listCustomerHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join two records of one person
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_DELETE.
         */
        post: operations["mergeCustomers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products a customer owns
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_GET.
         */
        get: operations["listCustomerProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the search requests of a customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_GET.
         */
        get: operations["listSearchRequests"];
        put?: never;
        /**
         * Create a search request of a customer
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_UPDATE.
         */
        post: operations["createSearchRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/searches/{searchId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a search request
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_GET.
         */
        get: operations["getSearchRequest"];
        put?: never;
        post?: never;
        /**
         * Delete a search request
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_UPDATE.
         */
        delete: operations["deleteSearchRequest"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of a search request
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:WRITE, and the right RS:CUSTOMER_UPDATE.
         */
        patch: operations["updateSearchRequest"];
        trace?: never;
    };
    "/api/v2/site/customers/{customerId}/searches/{searchId}/matching-products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active products that match a search request, best first
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_SEARCH.
         */
        get: operations["listMatchingProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/discovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agencies the token reaches */
        get: operations["discover"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the ledger of the site, for catching up
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:READ, and the right RS:HOOK_LIST.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks, page by page
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:READ, and the right RS:HOOK_LIST.
         */
        get: operations["listHooks"];
        put?: never;
        /**
         * Subscribe a URL to events
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_CREATE.
         */
        post: operations["createHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/auths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the authentication configurations
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:READ, and the right RS:HOOK_LIST.
         */
        get: operations["listHookAuths"];
        put?: never;
        /**
         * Add an authentication configuration
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_CREATE.
         */
        post: operations["createHookAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/auths/{authId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an authentication configuration
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:READ, and the right RS:HOOK_GET.
         */
        get: operations["getHookAuth"];
        /**
         * Change an authentication configuration
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_UPDATE.
         */
        put: operations["updateHookAuth"];
        post?: never;
        /**
         * Delete an authentication configuration
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_DELETE.
         */
        delete: operations["deleteHookAuth"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/origines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types that can be subscribed to
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:READ, and the right RS:HOOK_LIST.
         */
        get: operations["listOrigines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/{hookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:READ, and the right RS:HOOK_GET.
         */
        get: operations["getHook"];
        /**
         * Change a webhook, and reactivate it
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_UPDATE.
         */
        put: operations["updateHook"];
        post?: never;
        /**
         * Delete a webhook
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_DELETE.
         */
        delete: operations["deleteHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/{hookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, latest first
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:READ, and the right RS:HOOK_GET.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/{hookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with its attempts
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:READ, and the right RS:HOOK_GET.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/{hookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery once more
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_UPDATE.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/{hookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a range of events again
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_UPDATE.
         */
        post: operations["replayHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/{hookId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the signing secret
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_GET.
         */
        get: operations["getHookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/{hookId}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draw a new signing secret
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_UPDATE.
         */
        post: operations["rotateHookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/hooks/{hookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Needs one of the packs webhooks, and the permission SITE_HOOK:WRITE, and the right RS:HOOK_UPDATE.
         */
        post: operations["testHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the leads, latest first
         * @description Needs one of the packs leads, and the permission SITE_LEAD:READ, and the right RS:LEAD_GET.
         */
        get: operations["listLeads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leads/buyers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take in a buyer's lead
         * @description Needs one of the packs leads, and the permission SITE_LEAD:WRITE, and the right RS:LEAD_CREATE.
         */
        post: operations["createBuyerLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leads/sellers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take in a seller's lead
         * @description Needs one of the packs leads, and the permission SITE_LEAD:WRITE, and the right RS:LEAD_CREATE.
         */
        post: operations["createSellerLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leads/{leadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a lead
         * @description Needs one of the packs leads, and the permission SITE_LEAD:READ, and the right RS:LEAD_GET.
         */
        get: operations["getLead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Say how a lead gets on, and who sees to it
         * @description Needs one of the packs leads, and the permission SITE_LEAD:WRITE, and the right RS:LEAD_GET.
         */
        patch: operations["updateLead"];
        trace?: never;
    };
    "/api/v2/site/leases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a lease
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_CREATE.
         */
        post: operations["createLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leases/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search leases
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_SEARCH.
         */
        post: operations["searchLeases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leases/{leaseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a lease
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        get: operations["getLease"];
        put?: never;
        post?: never;
        /**
         * Delete a draft of a lease
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_DELETE.
         */
        delete: operations["deleteLease"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of a lease
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        patch: operations["updateLease"];
        trace?: never;
    };
    "/api/v2/site/leases/{leaseId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a lease up before it begins
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["cancelLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leases/{leaseId}/cancel-notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a notice up
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["cancelNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leases/{leaseId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a lease ended
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["endLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leases/{leaseId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to a lease, latest first
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        get: operations["listLeaseHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leases/{leaseId}/notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give notice of a lease
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["giveNotice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leases/{leaseId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the rent follow its index
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["reviseRent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/leases/{leaseId}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a lease was signed
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["signLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a product
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_CREATE.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search products
         * @description Needs one of the packs properties, websites, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_SEARCH.
         */
        post: operations["searchProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/search/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the products a search matches
         * @description Needs one of the packs properties, websites, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_SEARCH.
         */
        post: operations["countProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/search/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the products a search matches by the values of criteria
         * @description Needs one of the packs properties, websites, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_SEARCH.
         */
        post: operations["countFacets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one product
         * @description Needs one of the packs properties, websites, sales, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_GET.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        /**
         * Delete a product
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_DELETE.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of a product
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_UPDATE.
         */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/api/v2/site/products/{productId}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the action history of a product, latest first
         * @description Needs one of the packs properties, customers, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_ACTION.
         */
        get: operations["listProductActions"];
        put?: never;
        /**
         * Write down an action about a product
         * @description Needs one of the packs properties, customers, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_ACTION.
         */
        post: operations["createProductAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/booking-holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a time for a visitor
         * @description Needs one of the packs websites, agenda, and the permission SITE_BOOKING:WRITE, and the right RS:BOOKING_CREATE.
         */
        post: operations["createBookingHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/booking-slots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List when a product can be booked
         * @description Needs one of the packs websites, agenda, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_GET.
         */
        get: operations["listBookingSlots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/bookings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book a visit
         * @description Needs one of the packs websites, agenda, and the permission SITE_BOOKING:WRITE, and the right RS:BOOKING_CREATE.
         */
        post: operations["createBooking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/criteria": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the criteria of a product
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_GET.
         */
        get: operations["listProductCriteria"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to a product, latest first
         * @description Needs one of the packs properties, websites, sales, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_GET.
         */
        get: operations["listProductHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/lots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lots of a product
         * @description Needs one of the packs properties, websites, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_GET.
         */
        get: operations["listLots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/matching-searches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the search requests a product matches, best first
         * @description Needs one of the packs customers, and the permission SITE_CUSTOMER:READ, and the right RS:CUSTOMER_SEARCH.
         */
        get: operations["listMatchingSearches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/pictures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pictures of a product, in order
         * @description Needs one of the packs properties, websites, sales, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_GET.
         */
        get: operations["listPictures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/pictures/private": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a picture for the agency alone
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_UPDATE.
         */
        post: operations["addPrivatePicture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/pictures/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a picture that everybody sees
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_UPDATE.
         */
        post: operations["addPublicPicture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/pictures/{pictureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a picture's record
         * @description Needs one of the packs properties, websites, sales, and the permission SITE_PRODUCT:READ, and the right RS:PRODUCT_GET.
         */
        get: operations["getPicture"];
        put?: never;
        post?: never;
        /**
         * Remove a picture from a product
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_UPDATE.
         */
        delete: operations["deletePicture"];
        options?: never;
        head?: never;
        /**
         * Move, label, publish or hide a picture
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_UPDATE.
         */
        patch: operations["updatePicture"];
        trace?: never;
    };
    "/api/v2/site/products/{productId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted product
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_DELETE.
         */
        post: operations["restoreProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/products/{productId}/rooms/{roomId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a room from a product
         * @description Needs one of the packs properties, and the permission SITE_PRODUCT:WRITE, and the right RS:PRODUCT_UPDATE.
         */
        delete: operations["deleteRoom"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/requests/readiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deprecated names that your requests still use */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what became of one of your requests */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a sale agreement
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_CREATE.
         */
        post: operations["createAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search sale agreements
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_SEARCH.
         */
        post: operations["searchAgreements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sale agreement
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        get: operations["getAgreement"];
        put?: never;
        post?: never;
        /**
         * Delete a draft of a sale agreement
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_DELETE.
         */
        delete: operations["deleteAgreement"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of a sale agreement
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        patch: operations["updateAgreement"];
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a sale agreement up
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["cancelAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}/conditions/{conditionId}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a condition did not come true
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["failCondition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}/conditions/{conditionId}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a condition came true, or was waived
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["liftCondition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to a sale agreement, latest first
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        get: operations["listAgreementHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}/notarise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the deed was signed
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["notariseAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}/notify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say when buyers were notified
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["notifyBuyers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}/retract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a buyer withdrew
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["retractAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-agreements/{agreementId}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a sale agreement was signed
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["signAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an offer
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_CREATE.
         */
        post: operations["createOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search offers
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_SEARCH.
         */
        post: operations["searchOffers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers/{offerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an offer
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        get: operations["getOffer"];
        put?: never;
        post?: never;
        /**
         * Delete a draft of an offer
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_DELETE.
         */
        delete: operations["deleteOffer"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of an offer
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        patch: operations["updateOffer"];
        trace?: never;
    };
    "/api/v2/site/sale-offers/{offerId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an offer
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["acceptOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers/{offerId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an accepted offer up
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["cancelOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers/{offerId}/counter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer an offer with another amount
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["counterOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers/{offerId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to an offer, latest first
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        get: operations["listOfferHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers/{offerId}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse an offer
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["refuseOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers/{offerId}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an offer to the sellers
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["sendOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/sale-offers/{offerId}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an offer back
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:WRITE, and the right RS:TRANSACTION_UPDATE.
         */
        post: operations["withdrawOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/site": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the token's site and its manufacturers list */
        get: operations["getSite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/transactions/amounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compute rents, fees and commissions
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        post: operations["computeAmounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/transactions/deadlines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is pending
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_SEARCH.
         */
        get: operations["listPendingDeadlines"];
        put?: never;
        /**
         * Compute when legal periods end
         * @description Needs one of the packs sales, and the permission SITE_TRANSACTION:READ, and the right RS:TRANSACTION_GET.
         */
        post: operations["computeDeadlines"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users, page by page
         * @description Needs one of the packs properties, customers, leads, users, agenda, and the permission SITE_USER:READ, and the right RS:USER_LIST.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/users/genders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the genders
         * @description Needs one of the packs properties, customers, leads, users, agenda, and the permission SITE_USER:READ, and the right RS:USER_LIST.
         */
        get: operations["listGenders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/users/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the groups of users
         * @description Needs one of the packs properties, customers, leads, users, agenda, and the permission SITE_USER:READ, and the right RS:USER_LIST.
         */
        get: operations["listUserGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/users/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of users
         * @description Needs one of the packs properties, customers, leads, users, agenda, and the permission SITE_USER:READ, and the right RS:USER_LIST.
         */
        get: operations["listUserTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/site/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one user
         * @description Needs one of the packs properties, customers, leads, users, agenda, and the permission SITE_USER:READ, and the right RS:USER_LIST.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActionCreated: {
            /**
             * Format: int64
             * @description of the product or customer
             */
            id: number;
        };
        ActionCreatedEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["ActionCreated"];
        };
        ActionHistoryItem: {
            /**
             * Format: int64
             * @description type of the action
             */
            action_id: number;
            /** @description label of the type of the action */
            action_label: string;
            /** @description child of the type of the action */
            child_action_id: number | null;
            /** @description label of that child */
            child_action_label: string | null;
            /** @description whom it was done with, or whom it is about */
            customer_id: number | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: date-time
             * @description when it was done
             */
            date_performed: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description what it is about; null when it is about a customer */
            product_id: number | null;
            /** @description comment or result */
            result: string | null;
            /** @description agent who performed it */
            user_id: number | null;
        };
        ActionLogItem: {
            /** @description null for what the system logs, such as a change of Statut */
            action_id: number | null;
            /** @description name of the user, or else the client id that wrote it down */
            actor: string;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: date-time
             * @description when it was done
             */
            date_performed: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description what the action was called when it was written down */
            label: string;
            /** @description comment or result */
            result: string | null;
            /** @description id of a user */
            user_id: number | null;
        };
        ActionPage: {
            /** @description what was asked for */
            data: components["schemas"]["ActionHistoryItem"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description id of the last action shown */
            next_cursor: number | null;
        };
        ActionType: {
            /** @description has an active child */
            appears_in_history: boolean;
            /** @description child actions; with one that is active, actions are in the history */
            children: components["schemas"]["ChildAction"][];
            /** @description color code */
            color: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description name for people */
            label: string;
            /** @description code or reference by which it is named in requests */
            model: string;
            /**
             * Format: int64
             * @description place in the order shown
             */
            position: number;
            /** @description what the action can be about; one of `product`, `customer`, `both`; more may be added */
            target: string;
        };
        ActionTypeList: {
            /** @description what was asked for */
            data: components["schemas"]["ActionType"][];
        };
        AddPictureRequest: {
            /**
             * Format: binary
             * @description JPEG, PNG or WebP, at least 800 pixels wide, at most 20 MiB and 50 megapixels
             */
            file: Blob;
        };
        AddressInput: {
            /** @description true removes the entry */
            _delete?: boolean | null;
            /** @description town */
            city?: string | null;
            /** @description ISO 3166 */
            country?: string | null;
            /** @description the entry to change; a new one without */
            id?: number | null;
            /** @description whether it is the one to use first */
            is_primary?: boolean | null;
            /** @description first line of the address */
            line1?: string | null;
            /** @description second line of the address */
            line2?: string | null;
            /** @description postal code */
            postal_code?: string | null;
            /** @description code of list 8 */
            type?: string | null;
        } & (unknown | unknown | unknown | unknown | unknown);
        AgencyDetail: components["schemas"]["AgencyFullResponse"] | components["schemas"]["AgencyDocument"];
        AgencyDetailEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["AgencyDetail"];
        };
        AgencyDocument: {
            /** @description street address */
            address: string;
            /** @description share capital */
            capital: string;
            /** @description town */
            city: string;
            /** @description e-mail address */
            email: string;
            /** @description financial guarantee of the agency */
            guarantee: string;
            /** @description number by which it is addressed */
            id: string;
            /** @description professional insurance of the agency */
            insurance: string;
            /** @description registered name */
            legal_name: string;
            /** @description address of the logo */
            logo_url: string;
            /** @description consumer mediator of the agency */
            mediator: string;
            /** @description name for people */
            name: string;
            /** @description phone number */
            phone: string;
            /** @description postal code */
            postal_code: string;
            /** @description professional card */
            professional_card: string;
            /** @description entry in the trade register */
            rcs: string;
            /** @description SIREN, 9 digits */
            siren: string;
            /** @description SIRET, 14 digits */
            siret: string;
            /** @description VAT number */
            vat_number: string;
            /** @description address of the website */
            website: string;
        };
        AgencyFullResponse: {
            /** @description street address */
            address: string | null;
            /** @description share capital */
            capital: string | null;
            /** @description town */
            city: string | null;
            /** @description country, as an ISO 3166 code or a code of the site */
            country: string | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description text about it */
            description: string | null;
            /** @description e-mail address */
            email: string | null;
            /** @description address of the schedule of fees */
            fees_schedule_url: string | null;
            /** @description financial guarantee of the agency */
            guarantee: components["schemas"]["Guarantee"] | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description professional insurance of the agency */
            insurance: components["schemas"]["Insurance"] | null;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description ISO 639-1 codes of languages spoken */
            languages: string[];
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description degrees north */
            latitude: number | null;
            /** @description legal form of the company */
            legal_form: string | null;
            /** @description registered name */
            legal_name: string | null;
            /** @description address of the logo */
            logo_url: string | null;
            /** @description degrees east */
            longitude: number | null;
            /** @description consumer mediator of the agency */
            mediator: components["schemas"]["Mediator"] | null;
            /** @description name for people */
            name: string;
            /** @description network of the agency; null without one */
            network: string | null;
            /** @description when the agency is open */
            opening_hours: components["schemas"]["OpeningHours"][];
            /** @description phone number */
            phone: string | null;
            /** @description postal code */
            postal_code: string | null;
            /** @description professional card */
            professional_card: components["schemas"]["ProfessionalCard"] | null;
            /** @description entry in the trade register */
            rcs: string | null;
            /** @description settings */
            settings: components["schemas"]["Settings"];
            /** @description SIREN, 9 digits */
            siren: string | null;
            /** @description SIRET, 14 digits */
            siret: string | null;
            /**
             * Format: int64
             * @description id of the site
             */
            site_id: number;
            /** @description users of the agency */
            users: components["schemas"]["UserSummary"][];
            /** @description VAT number */
            vat_number: string | null;
            /** @description address of the website */
            website: string | null;
        };
        AgencyPage: {
            /** @description what was asked for */
            data: components["schemas"]["AgencyResponse"][];
            /** @description addresses of the pages around this one */
            links: components["schemas"]["CursorPaginationLinks"];
            /** @description where this page stands */
            meta: components["schemas"]["CursorPaginationMeta"];
        };
        AgencyResponse: {
            /** @description street address */
            address: string | null;
            /** @description town */
            city: string | null;
            /** @description country, as an ISO 3166 code or a code of the site */
            country: string | null;
            /** @description e-mail address */
            email: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description degrees north */
            latitude: number | null;
            /** @description registered name */
            legal_name: string | null;
            /** @description address of the logo */
            logo_url: string | null;
            /** @description degrees east */
            longitude: number | null;
            /** @description name for people */
            name: string;
            /** @description phone number */
            phone: string | null;
            /** @description postal code */
            postal_code: string | null;
            /** @description SIREN, 9 digits */
            siren: string | null;
            /** @description SIRET, 14 digits */
            siret: string | null;
            /**
             * Format: int64
             * @description id of the site
             */
            site_id: number;
        };
        AgencySettings: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description whether and how visitors book online */
            online_booking: components["schemas"]["OnlineBookingSettings"];
        };
        AgencySettingsEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["AgencySettings"];
        };
        Alerts: {
            /** @description e-mail address */
            email: boolean;
            /** @description how often */
            frequency: string | null;
            /** @description whether by text message */
            sms: boolean;
        };
        AlertsInput: {
            /** @description e-mail address */
            email?: boolean | null;
            /** @description how often */
            frequency?: ("IMMEDIATE" | "DAILY" | "WEEKLY") | null;
            /** @description whether by text message */
            sms?: boolean | null;
        };
        AllAgencySettings: {
            /** @description what was asked for */
            data: components["schemas"]["AgencySettings"][];
        };
        AllAmounts: {
            /** @description what was asked for */
            data: components["schemas"]["Amounts"][];
        };
        AllPending: {
            /** @description what was asked for */
            data: components["schemas"]["Pending"][];
            /** @description there are more than the thousand that are shown */
            truncated: boolean;
        };
        AmountInput: {
            /** @description FEES_CAP */
            date?: string | null;
            /** @description VAT */
            fees_amount?: number | null;
            /** @description COMMISSIONS */
            fees_excl_vat?: number | null;
            /** @description REVISION */
            index?: ("IRL" | "ILC" | "ILAT") | null;
            /**
             * @description which kind it is
             * @enum {string}
             */
            kind: "REVISION" | "FEES_CAP" | "VAT" | "COMMISSIONS";
            /** @description COMMISSIONS: 1 to 20, above 0, at most 100 together */
            percents?: number[] | null;
            /** @description REVISION: the quarter that the rent is to follow, such as 2025-T3 */
            quarter?: string | null;
            /** @description REVISION: the quarter that the rent follows now, such as 2024-T3 */
            reference?: string | null;
            /** @description REVISION */
            rent?: number | null;
            /** @description FEES_CAP, in m² */
            surface?: number | null;
            /** @description REVISION: where the home is; METROPOLE without */
            territory?: ("METROPOLE" | "OUTRE_MER" | "CORSE") | null;
            /** @description VAT, in percent */
            vat_rate?: number | null;
            /** @description FEES_CAP */
            zone?: ("TRES_TENDUE" | "TENDUE" | "AUTRE") | null;
        };
        Amounts: {
            /** @description COMMISSIONS */
            amounts?: number[];
            /**
             * Format: double
             * @description VAT
             */
            fees_excl_vat?: number;
            /**
             * Format: double
             * @description FEES_CAP
             */
            fees_inventory_tenant_max?: number;
            /**
             * Format: double
             * @description FEES_CAP
             */
            fees_tenant_max?: number;
            /**
             * Format: double
             * @description VAT
             */
            fees_vat?: number;
            /** @description which kind it is */
            kind: string;
            /**
             * Format: double
             * @description REVISION
             */
            rent?: number;
        };
        AnswerEventRequest: {
            /**
             * @description what the attendee answered
             * @enum {string}
             */
            answer: "EN_ATTENTE" | "ACCEPTE" | "REFUSE" | "PEUT_ETRE";
            /**
             * Format: int64
             * @description id of one of attendees
             */
            attendee_id: number;
            /** @description original start of the occurrence that alone is answered */
            occurrence?: string | null;
        };
        AppointmentType: {
            /**
             * Format: int64
             * @description minutes that are kept free after
             */
            buffer_after: number;
            /**
             * Format: int64
             * @description minutes that are kept free before
             */
            buffer_before: number;
            /** @description color code */
            color: string | null;
            /**
             * Format: int64
             * @description how long it takes, in minutes
             */
            duration_minutes: number;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description its events take the time of users, unless they say otherwise */
            is_busy: boolean;
            /** @description time off */
            is_leave: boolean;
            /** @description name for people */
            label: string;
            /** @description code of list 12 */
            model: string;
            /**
             * Format: int64
             * @description place in the order shown
             */
            position: number;
        };
        AppointmentTypes: {
            /** @description what was asked for */
            data: components["schemas"]["AppointmentType"][];
        };
        Area: {
            /** @description stable code */
            code: string | null;
            /** @description true: anywhere but here */
            excluded: boolean;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description name for people */
            label: string | null;
            /** @description degrees north */
            latitude: number | null;
            /** @description degrees east */
            longitude: number | null;
            /** @description outline of the area */
            polygon: components["schemas"]["GeoJSON"] | null;
            /** @description radius, in km */
            radius_km: number | null;
            /** @description which type it is */
            type: string;
        };
        AreaInput: {
            /** @description INSEE code of a CITY or INSEE area, postal code, or department */
            code?: string | null;
            /** @description true: anywhere but here */
            excluded?: boolean | null;
            /** @description of an area that is kept */
            id?: number | null;
            /** @description name for people; finds a CITY without code */
            label?: string | null;
            /** @description center of a RADIUS */
            latitude?: number | null;
            /** @description degrees east */
            longitude?: number | null;
            /** @description GeoJSON Polygon or MultiPolygon */
            polygon?: components["schemas"]["GeoJSONInput"] | null;
            /** @description at most 1000 */
            radius_km?: number | null;
            /**
             * @description which type it is
             * @enum {string}
             */
            type: "CITY" | "POSTAL_CODE" | "INSEE" | "DEPARTMENT" | "RADIUS" | "POLYGON";
        };
        AttemptRecord: {
            /**
             * Format: date-time
             * @description when it happened
             */
            at: string;
            /**
             * Format: int64
             * @description how long it took, in milliseconds
             */
            duration_ms: number;
            /** @description what went wrong */
            error: string | null;
            /** @description HTTP status the receiver answered; null without an answer */
            http_status: number | null;
            /**
             * Format: int64
             * @description 1 for the first attempt
             */
            number: number;
            /** @description beginning of what the receiver answered */
            response_excerpt: string | null;
            /** @description where it was sent */
            url: string;
        };
        AttendedEvent: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description ids of products */
            product_ids: number[];
            /** @description reports of visits */
            reports: components["schemas"]["VisitReport"][];
            /** @description how it repeats, as RFC 5545 writes it */
            rrule: string | null;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description where it stands */
            status: string;
            /** @description IANA name of the time zone */
            timezone: string;
            /** @description title */
            title: string;
            /** @description which type it is */
            type: string;
        };
        Attendee: {
            /** @description what the attendee answered; one of `EN_ATTENTE`, `ACCEPTE`, `REFUSE`, `PEUT_ETRE`; more may be added */
            answer: string;
            /** @description id of a customer */
            customer_id: number | null;
            /** @description e-mail address */
            email: string | null;
            /**
             * Format: int64
             * @description within the event
             */
            id: number;
            /** @description which kind it is; one of `USER`, `CUSTOMER`, `GUEST`; more may be added */
            kind: string;
            /** @description name for people */
            name: string | null;
            /** @description in which role; one of `ORGANISATEUR`, `REQUIS`, `OPTIONNEL`; more may be added */
            role: string;
            /** @description id of a user */
            user_id: number | null;
        };
        AttendeeInput: {
            /** @description what they said before, or EN_ATTENTE, where nothing is said */
            answer?: ("EN_ATTENTE" | "ACCEPTE" | "REFUSE" | "PEUT_ETRE") | null;
            /** @description of a CUSTOMER */
            customer_id?: number | null;
            /** @description of a GUEST */
            email?: string | null;
            /**
             * @description which kind it is
             * @enum {string}
             */
            kind: "USER" | "CUSTOMER" | "GUEST";
            /** @description of a GUEST, who has this or an email */
            name?: string | null;
            /** @description REQUIS where nothing is said */
            role?: ("ORGANISATEUR" | "REQUIS" | "OPTIONNEL") | null;
            /** @description of a USER */
            user_id?: number | null;
        };
        Availabilities: {
            /** @description slots by start; ranges by user, then start */
            data: components["schemas"]["Availability"][];
            /** @description there is more */
            truncated: boolean;
        };
        Availability: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /**
             * Format: int64
             * @description id of a user
             */
            user_id?: number;
            /** @description ids of users */
            user_ids?: number[];
        };
        BookedUser: {
            /** @description first name */
            firstname: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description family name */
            lastname: string;
        };
        BookedVisit: {
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /** @description null: the event is gone */
            event_id: number | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description id of the lead */
            lead_id: number | null;
            /** @description id of a product */
            product_id: number | null;
            /** @description why the visitor cancelled */
            reason: string | null;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description that of the event; ANNULE where it is gone; one of `PREVU`, `CONFIRME`, `REALISE`, `ANNULE`, `ABSENT`; more may be added */
            status: string;
        };
        Booking: {
            /**
             * Format: date-time
             * @description until when the visitor may cancel or move it
             */
            cancel_until: string;
            /** @description null for websites */
            customer_id: number | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /** @description null for websites */
            event_id: number | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description null for websites */
            lead_id: number | null;
            /** @description id of a product */
            product_id: number | null;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description that of the event; one of `PREVU`, `CONFIRME`, `REALISE`, `ANNULE`, `ABSENT`; more may be added */
            status: string;
            /** @description null for websites unless web_visible */
            user: components["schemas"]["BookedUser"] | null;
        };
        BookingEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Booking"];
        };
        BookingSlot: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description null for websites */
            user_id: number | null;
        };
        BookingSlots: {
            /** @description user_ids is empty for websites */
            data: components["schemas"]["Slot"][];
        };
        BusyInput: {
            /**
             * Format: date-time
             * @description after start_at, at most 31 days later
             */
            end_at: string;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
        };
        BusyPeriod: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /** @description which kind it is; one of `LEAVE`, `BUSY`, `HOLD`, `EXTERNAL`; more may be added */
            kind: string;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
        };
        BuyersFinancing: {
            /** @description own money, in the site's currency */
            contribution?: number | null;
            /** @description amount of the loan, in the site's currency */
            loan_amount?: number | null;
            /** @description duration of the loan, in months */
            loan_months?: number | null;
            /** @description percent */
            loan_rate_max?: number | null;
            /** @description true: no loan is taken */
            without_loan?: boolean | null;
        };
        CalendarEvent: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description true: the whole day, without times */
            all_day: boolean;
            /** @description who takes part */
            attendees: components["schemas"]["Attendee"][];
            /** @description booking it was made by; null without one */
            booking_id: number | null;
            /**
             * Format: int64
             * @description minutes
             */
            buffer_after: number;
            /**
             * Format: int64
             * @description minutes
             */
            buffer_before: number;
            /** @description client id */
            created_by: string | null;
            /** @description ids of customers */
            customer_ids: number[];
            /** @description when it was created */
            date_added: string | null;
            /** @description text about it */
            description: string | null;
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /** @description included */
            end_date: string | null;
            /** @description starts of occurrences that do not take place */
            exdates: string[];
            /** @description id it has in another system */
            external_id: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether the time counts as taken */
            is_busy: boolean;
            /** @description whether it is a visit by video */
            is_live_visit: boolean;
            /** @description when it was last changed */
            last_modified: string | null;
            /** @description degrees north */
            latitude: number | null;
            /** @description where it takes place */
            location: string | null;
            /** @description degrees east */
            longitude: number | null;
            /** @description address of the video meeting */
            meeting_url: string | null;
            /** @description ids of products */
            product_ids: number[];
            /** @description minutes before the start */
            reminders: number[];
            /** @description reports of visits */
            reports: components["schemas"]["VisitReport"][];
            /** @description how it repeats, as RFC 5545 writes it */
            rrule: string | null;
            /** @description id of a search request */
            search_id: number | null;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description first day of an event that takes whole days */
            start_date: string | null;
            /** @description where it stands; one of `PREVU`, `CONFIRME`, `REALISE`, `ANNULE`, `ABSENT`; more may be added */
            status: string;
            /** @description IANA name of the time zone */
            timezone: string;
            /** @description null: hidden */
            title: string | null;
            /** @description model of a type of GET /agenda/types */
            type: string;
            /** @description ids of users */
            user_ids: number[];
            /** @description who may see it; one of `PUBLIC`, `PRIVE`; more may be added */
            visibility: string;
        };
        CalendarEventEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CalendarEvent"];
        };
        CampaignInput: {
            /** @description name of the campaign */
            campaign?: string | null;
            /** @description kind of link, such as email or cpc */
            medium?: string | null;
            /** @description where it comes from */
            source?: string | null;
        };
        CancelAgreementRequest: {
            /** @description code of list 17 */
            cancellation_reason: string;
        };
        CancelBookingRequest: {
            /** @description why */
            reason?: string | null;
        };
        CancelLeaseRequest: {
            /** @description code of list 17 */
            cancellation_reason: string;
        };
        CancelOfferRequest: {
            /** @description code of list 17 */
            cancellation_reason: string;
        };
        Category: {
            /**
             * Format: int64
             * @description of the value of TypeBien
             */
            id: number;
            /** @description label of the value */
            name: string;
            /** @description always null: the types are not grouped */
            parent_id: number | null;
        };
        Changelog: {
            /** @description releases, the latest first */
            data: components["schemas"]["Release"][];
        };
        ChildAction: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description name for people */
            label: string;
            /** @description code or reference by which it is named in requests */
            model: string;
        };
        ClientArea: {
            /** @description true when it is on */
            enabled: boolean;
            /** @description when the customer was invited */
            invited_at: string | null;
            /** @description when the customer last signed in; null when never */
            last_login_at: string | null;
            /** @description name to sign in with */
            login: string | null;
            /** @description null: no online area is connected */
            url: string | null;
        };
        ClientAreaInput: {
            /** @description true when it is on */
            enabled?: boolean | null;
            /** @description name to sign in with */
            login?: string | null;
        };
        Commission: {
            /** @description id of an agency */
            agency_id: number | null;
            /** @description share of fees_excl_vat; null without fees */
            amount: number | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description who gets the share, when it is no user or agency */
            party_name: string | null;
            /**
             * Format: double
             * @description share in percent
             */
            percent: number;
            /** @description in which role; one of `ENTREE`, `SORTIE`, `APPORT`, `DELEGATION`, `AUTRE`; more may be added */
            role: string;
            /** @description id of a user */
            user_id: number | null;
        };
        CommissionInput: {
            /** @description id of an agency */
            agency_id?: number | null;
            /** @description who gets the share, when it is no user or agency */
            party_name?: string | null;
            /**
             * Format: double
             * @description above 0, at most 2 decimals; all together at most 100
             */
            percent: number;
            /**
             * @description in which role
             * @enum {string}
             */
            role: "ENTREE" | "SORTIE" | "APPORT" | "DELEGATION" | "AUTRE";
            /** @description id of a user */
            user_id?: number | null;
        } & (unknown | unknown | unknown);
        ComputeAmountsRequest: {
            /** @description 1 to 100 */
            items: components["schemas"]["AmountInput"][];
        };
        ComputeDeadlinesRequest: {
            /** @description 1 to 100 */
            items: components["schemas"]["DeadlineInput"][];
        };
        ConditionInput: {
            /** @description key, or numeric id */
            id: string;
            /**
             * @description how it compares
             * @enum {string}
             */
            operator: "EGAL" | "DIFFERENT" | "SUPERIEUR" | "INFERIEUR" | "CONTIENT" | "COMPREND" | "NE_COMPREND_PAS";
            /** @description a string or a number, or an array of strings for CONTIENT and COMPREND */
            value: string | number | string[];
        };
        Consent: {
            /** @description e-mail address */
            email: boolean | null;
            /** @description when it was given */
            obtained_at: string | null;
            /** @description whether partners may write */
            partners: boolean | null;
            /** @description phone number */
            phone: boolean | null;
            /** @description whether by text message */
            sms: boolean | null;
            /** @description where it comes from */
            source: string | null;
            /** @description when it was taken back; null when it was not */
            withdrawn_at: string | null;
        };
        ConsentInput: {
            /** @description e-mail address */
            email?: boolean | null;
            /** @description now, where consent is given without it */
            obtained_at?: string | null;
            /** @description whether partners may write */
            partners?: boolean | null;
            /** @description phone number */
            phone?: boolean | null;
            /** @description whether by text message */
            sms?: boolean | null;
            /** @description how it was obtained */
            source?: string | null;
            /** @description now, where consent is withdrawn without it */
            withdrawn_at?: string | null;
        };
        ContactInput: {
            /** @description code of list 6 */
            civility?: string | null;
            /** @description e-mail address */
            email?: string | null;
            /** @description first name */
            firstname?: string | null;
            /** @description family name */
            lastname?: string | null;
            /** @description phone number */
            phone?: string | null;
        } & (unknown | unknown);
        Control: {
            /** @description reference rent, in €/m² */
            reference_rent: number | null;
            /**
             * Format: double
             * @description upper reference rent, in €/m²
             */
            reference_rent_max: number;
        };
        ControlInput: {
            /** @description reference rent, in €/m² */
            reference_rent?: number | null;
            /**
             * Format: double
             * @description upper reference rent, in €/m²
             */
            reference_rent_max: number;
        };
        CountProductsRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description conditions on criteria, all of which must hold */
            criterias?: components["schemas"]["ConditionInput"][] | null;
            /** @description owner; not for credentials that only feed websites */
            customer_id?: number | null;
            /** @description whether there is a 360-degree visit */
            has_visit360?: boolean | null;
            /** @description part of the reference, of address and city or of the owner's name; a number also finds prices within 10 percent */
            keyword?: string | null;
            /** @description modified on or after */
            last_modified?: string | null;
            /** @description exact reference */
            model?: string | null;
            /** @description extension: positions in a circle */
            near?: components["schemas"]["NearInput"] | null;
            /** @description lots of this product; null: no lots */
            parent_id?: number | null;
            /** @description assigned agents */
            products_admin_id?: (number[] | string) | null;
            /** @description true: published only; false: unpublished only */
            status_web?: boolean | null;
            /** @description extension: positions in a box */
            within?: components["schemas"]["WithinInput"] | null;
        };
        CountResult: {
            /**
             * Format: int64
             * @description how many there are
             */
            count: number;
        };
        CounterOfferRequest: {
            /**
             * Format: double
             * @description amount, in the site's currency
             */
            amount: number;
            /**
             * @description who did it
             * @enum {string}
             */
            by: "VENDEUR" | "ACQUEREUR";
            /** @description replaces; left out, it stays as it is */
            expires_at?: string | null;
        };
        CreateAgreementRequest: {
            /** @description the offer's or the product's, where a new one has none */
            agency_id?: number | null;
            /** @description a customer of type NOTAIRE; that of the first buyer, where a new one has none */
            buyer_notary_id?: number | null;
            /** @description customers, 1 to 10, each once; required for a new one without an offer */
            buyers?: number[] | null;
            /** @description at most 10,000 characters */
            comment?: string | null;
            /** @description at most 20; replaces the list */
            commissions?: components["schemas"]["CommissionInput"][] | null;
            /** @description at most 30; those not named stay */
            conditions?: components["schemas"]["SaleConditionInput"][] | null;
            /** @description day on which the deed is expected */
            date_deed_expected?: string | null;
            /** @description deposit, and who holds it */
            deposit?: components["schemas"]["DepositInput"] | null;
            /** @description VAT included; comes with fees_payer */
            fees_amount?: number | null;
            /** @description what buyers owe; with PARTAGE, and only then */
            fees_buyer_amount?: number | null;
            /** @description who pays the fees */
            fees_payer?: ("ACQUEREUR" | "VENDEUR" | "PARTAGE") | null;
            /** @description fees included; required for a new one without an offer */
            price?: number | null;
            /** @description required for a new one without an offer; cannot change */
            product_id?: number | null;
            /** @description for a new one: whether it is about a dwelling, and a buyer has no company */
            retraction_applies?: boolean | null;
            /** @description an accepted offer; cannot change */
            sale_offer_id?: number | null;
            /** @description a customer of type NOTAIRE; that of the first seller, where a new one has none */
            seller_notary_id?: number | null;
            /** @description customers, at most 10, each once */
            sellers?: number[] | null;
            /**
             * @description required for a new one
             * @enum {string}
             */
            type: "COMPROMIS" | "PROMESSE" | "RESERVATION";
            /** @description the offer's or the product's, where a new one has none */
            user_id?: number | null;
            /** @description percent; by default that of where the property is */
            vat_rate?: number | null;
        } & (unknown | unknown);
        CreateBookingRequest: {
            /** @description what the customer agreed to, and when */
            consent?: components["schemas"]["ConsentInput"] | null;
            /** @description who books */
            contact: components["schemas"]["ContactInput"];
            /** @description with hold_token */
            hold_id?: number | null;
            /** @description with hold_id */
            hold_token?: string | null;
            /** @description text for people */
            message?: string | null;
            /**
             * Format: date-time
             * @description start of a slot, or of the hold
             */
            start_at: string;
        };
        CreateBuyerLeadRequest: {
            /** @description one of the token's agencies; required when there are several */
            agency_id?: number | null;
            /** @description where; the product's city without */
            areas?: components["schemas"]["AreaInput"][] | null;
            /** @description code of list 6 */
            civility?: string | null;
            /** @description what the customer agreed to, and when */
            consent?: components["schemas"]["ConsentInput"] | null;
            /** @description what is looked for; derived from the product without */
            criterias?: components["schemas"]["ConditionInput"][] | null;
            /** @description e-mail address */
            email?: string | null;
            /** @description the sender's own id */
            external_id?: string | null;
            /** @description first name */
            firstname?: string | null;
            /** @description family name */
            lastname?: string | null;
            /** @description text for people */
            message?: string | null;
            /** @description an object of the sender's own, shown as it came */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description code of list 10 */
            origin?: string | null;
            /** @description where it came from, in words */
            origin_detail?: string | null;
            /** @description phone number */
            phone?: string | null;
            /** @description at most so much, in the site's currency */
            price_max?: number | null;
            /** @description the product asked about */
            product_id?: number | null;
            /** @description code of TypeTransaction; the product's without */
            transaction_type?: string | null;
            /** @description assigned agent */
            user_id?: number | null;
            /** @description campaign the person came by */
            utm?: components["schemas"]["CampaignInput"] | null;
            /** @description when the customer would visit */
            visit_wish?: components["schemas"]["VisitWishInput"] | null;
        } & (unknown | unknown);
        CreateCustomerActionRequest: {
            /**
             * Format: int64
             * @description one of GET /actions/types
             */
            action_id: number;
            /** @description one of the children of the type */
            child_action_id?: number | null;
            /** @description now, unless given; may lie in the future */
            date_performed?: string | null;
            /** @description comment or result */
            result?: string | null;
            /** @description agent who performed it */
            user_id?: number | null;
        };
        CreateCustomerRequest: {
            /** @description as emails */
            addresses?: components["schemas"]["AddressInput"][] | null;
            /** @description one of the token's agencies; required for a new customer when there are several */
            agency_id?: number | null;
            /** @description date of birth */
            birth_date?: string | null;
            /** @description name at birth */
            birth_name?: string | null;
            /** @description place of birth */
            birth_place?: string | null;
            /** @description code of list 6 */
            civility?: string | null;
            /** @description access to the customers' area of the site */
            client_area?: components["schemas"]["ClientAreaInput"] | null;
            /** @description color code */
            color?: number | null;
            /** @description a remark for people */
            comment?: string | null;
            /** @description name of the company */
            company?: string | null;
            /** @description what the customer agreed to, and when */
            consent?: components["schemas"]["ConsentInput"] | null;
            /** @description primary e-mail address */
            email?: string | null;
            /** @description entries with an id change, others are added, those not named stay */
            emails?: components["schemas"]["EmailInput"][] | null;
            /** @description whether the person is married */
            family_status?: ("CELIBATAIRE" | "MARIE" | "PACSE" | "DIVORCE" | "VEUF") | null;
            /** @description first name */
            firstname?: string | null;
            /** @description id of a gender of GET /users/genders */
            gender_id?: number | null;
            /** @description whether it is archived */
            is_archived?: boolean | null;
            /** @description ISO 639-1 */
            language?: string | null;
            /** @description a customer has a lastname, a company, an email or a phone */
            lastname?: string | null;
            /** @description legal form of the company */
            legal_form?: string | null;
            /** @description matrimonial property regime */
            matrimonial_regime?: string | null;
            /** @description nationality */
            nationality?: string | null;
            /** @description day of the next contact */
            next_contact?: string | null;
            /** @description the customer's notary */
            notary?: components["schemas"]["NotaryInput"] | null;
            /** @description code of list 10 */
            origin?: string | null;
            /** @description where it came from, in words */
            origin_detail?: string | null;
            /** @description primary phone number, in any formatting */
            phone?: string | null;
            /** @description as emails */
            phone_numbers?: components["schemas"]["PhoneInput"][] | null;
            /** @description profession */
            profession?: string | null;
            /** @description replaces the list */
            related_contacts?: components["schemas"]["RelatedInput"][] | null;
            /** @description 14 digits */
            siret?: string | null;
            /** @description code of list 5; required for a new customer */
            type: string;
            /** @description assigned agent */
            user_id?: number | null;
            /** @description VAT number */
            vat_number?: string | null;
        } & (unknown | unknown | unknown | unknown | unknown | unknown);
        CreateEventRequest: {
            /** @description that of the first user, where a new one has none */
            agency_id?: number | null;
            /** @description true: the whole day, without times */
            all_day?: boolean | null;
            /** @description replaces the list; at least one is a USER */
            attendees?: components["schemas"]["AttendeeInput"][] | null;
            /** @description minutes that are kept free after; those of the type, where a new one has none */
            buffer_after?: number | null;
            /** @description minutes that are kept free before; those of the type, where a new one has none */
            buffer_before?: number | null;
            /** @description instead of attendees: the customers who attend */
            customer_ids?: number[] | null;
            /** @description text about it */
            description?: string | null;
            /** @description required unless all_day; after start_at, at most 31 days later */
            end_at?: string | null;
            /** @description required with all_day; included, at most 366 days */
            end_date?: string | null;
            /** @description original starts that do not take place; in timezone where they have no offset */
            exdates?: string[] | null;
            /** @description the sender's own id */
            external_id?: string | null;
            /** @description that of the type, where a new one has none */
            is_busy?: boolean | null;
            /** @description a remote visit for everybody, at meeting_url */
            is_live_visit?: boolean | null;
            /** @description with longitude */
            latitude?: number | null;
            /** @description where it takes place */
            location?: string | null;
            /** @description with latitude */
            longitude?: number | null;
            /** @description http or https */
            meeting_url?: string | null;
            /** @description REFUSE: a busy event that overlaps busy time of its users is 409 slot_taken; ALLOW, where nothing is said: X-Conflicts names the other events */
            on_conflict?: ("ALLOW" | "REFUSE") | null;
            /** @description ids of products */
            product_ids?: number[] | null;
            /** @description minutes before the start, 0 to 40320 */
            reminders?: number[] | null;
            /** @description value of RRULE (RFC 5545), such as FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6; null for none */
            rrule?: string | null;
            /** @description a search request of one of the customers */
            search_id?: number | null;
            /** @description required unless all_day; in timezone where it has no offset */
            start_at?: string | null;
            /** @description required with all_day, and only then */
            start_date?: string | null;
            /** @description PREVU where a new one says nothing; ANNULE is final */
            status?: ("PREVU" | "CONFIRME" | "REALISE" | "ANNULE" | "ABSENT") | null;
            /** @description IANA name; that of the agency, where a new one has none */
            timezone?: string | null;
            /** @description required for a new one */
            title: string;
            /** @description model of an active type; required for a new one */
            type: string;
            /** @description instead of attendees: the users who attend */
            user_ids?: number[] | null;
            /** @description PRIVE: other clients see only that the time is taken */
            visibility?: ("PUBLIC" | "PRIVE") | null;
        };
        CreateFeedRequest: {
            /** @description BUSY: only that the time is taken; FULL where nothing is said */
            detail?: ("FULL" | "BUSY") | null;
        };
        CreateFollowUpRequest: {
            /** @description a remark for people */
            comment?: string | null;
            /** @description day of the next contact */
            next_contact?: string | null;
            /**
             * Format: int64
             * @description id of a product
             */
            product_id: number;
            /** @description how much the customer likes it, from 1 to 5 */
            rating?: number | null;
            /** @description code of list 15 */
            refusal_reason?: string | null;
            /** @description a search request of the customer */
            search_id?: number | null;
            /** @description code of list 9; PROPOSE for a new one without */
            status?: string | null;
            /** @description id of a user */
            user_id?: number | null;
        };
        CreateHoldRequest: {
            /**
             * Format: date-time
             * @description start of a slot
             */
            start_at: string;
        };
        CreateHookRequest: {
            /** @description one of GET /hooks/auths */
            auth_id?: number | null;
            /** @description for how long updates of one resource are gathered into one request; 0 sends each */
            coalesce_seconds?: number | null;
            /** @description format of the delivery's body */
            format?: ("default" | "standard" | "cloudevents" | "reso") | null;
            /** @description sent with every delivery */
            headers?: {
                [key: string]: string;
            } | null;
            /** @description event types, as GET /hooks/origines lists them */
            origines: string[];
            /** @description leave out events this credential causes */
            skip_own?: boolean | null;
            /**
             * Format: uri
             * @description https target, publicly reachable, answers within 10 seconds
             */
            url: string;
        };
        CreateLeaseRequest: {
            /** @description the product's, where a new one has none */
            agency_id?: number | null;
            /** @description comes with charges_mode */
            charges?: number | null;
            /** @description how charges are paid */
            charges_mode?: ("PROVISION" | "FORFAIT") | null;
            /** @description at most 10,000 characters */
            comment?: string | null;
            /** @description what rent control says of the lease */
            control?: components["schemas"]["ControlInput"] | null;
            /** @description for types without a duration */
            date_end?: string | null;
            /**
             * Format: date
             * @description required for a new one
             */
            date_start: string;
            /** @description deposit, and who holds it */
            deposit?: number | null;
            /** @description of the first term, for types that have a duration */
            duration_months?: number | null;
            /** @description day of the inventory at entry */
            entry_inventory?: string | null;
            /** @description day of the inventory at exit */
            exit_inventory?: string | null;
            /** @description the landlord is a company of relatives, treated as a natural person */
            family_company?: boolean | null;
            /** @description the landlord's fees for the inventory */
            fees_inventory_landlord?: number | null;
            /** @description the tenant's fees for the inventory */
            fees_inventory_tenant?: number | null;
            /** @description fees the landlord pays, in the site's currency */
            fees_landlord?: number | null;
            /** @description fees the tenant pays, in the site's currency */
            fees_tenant?: number | null;
            /** @description customers, at most 10, each once */
            guarantors?: number[] | null;
            /** @description how the rent follows an index */
            indexation?: components["schemas"]["IndexationInput"] | null;
            /** @description customers, 1 to 10, each once; the product's owner, where a new one has none */
            landlords?: number[] | null;
            /**
             * Format: int64
             * @description required for a new one; cannot change
             */
            product_id: number;
            /**
             * Format: double
             * @description by the month, without charges and supplement; for SAISONNIER for the stay; required for a new one
             */
            rent: number;
            /** @description supplement above the reference rent */
            rent_supplement?: number | null;
            /** @description which part is let */
            room?: string | null;
            /** @description why an unfurnished dwelling is let for less than three years */
            short_reason?: string | null;
            /** @description comes with rent_supplement */
            supplement_reason?: string | null;
            /** @description m²; the product's, where a new one has none */
            surface?: number | null;
            /** @description customers, 1 to 10, each once; required for a new one */
            tenants: number[];
            /**
             * @description required for a new one
             * @enum {string}
             */
            type: "VIDE" | "MEUBLE" | "ETUDIANT" | "MOBILITE" | "SAISONNIER" | "PROFESSIONNEL" | "COMMERCIAL" | "DEROGATOIRE" | "PARKING" | "CODE_CIVIL";
            /** @description the product's, where a new one has none */
            user_id?: number | null;
            /** @description percent; by default that of where the property is */
            vat_rate?: number | null;
            /** @description required with fees of tenants */
            zone?: ("TRES_TENDUE" | "TENDUE" | "AUTRE") | null;
        };
        CreateOfferRequest: {
            /** @description the product's, where a new one has none */
            agency_id?: number | null;
            /**
             * Format: double
             * @description what the buyers would pay, fees included; required for a new one
             */
            amount: number;
            /** @description customers, 1 to 10, each once; required for a new one */
            buyers: number[];
            /** @description at most 10,000 characters */
            comment?: string | null;
            /** @description at most 20, each of at most 1,000 characters; replaces the list */
            conditions?: string[] | null;
            /** @description today for a new one; not in the future */
            date_offer?: string | null;
            /** @description a day alone is its end */
            expires_at?: string | null;
            /** @description VAT included; comes with fees_payer */
            fees_amount?: number | null;
            /** @description what buyers owe; with PARTAGE, and only then */
            fees_buyer_amount?: number | null;
            /** @description who pays the fees */
            fees_payer?: ("ACQUEREUR" | "VENDEUR" | "PARTAGE") | null;
            /** @description how it is paid for */
            financing?: components["schemas"]["BuyersFinancing"] | null;
            /**
             * Format: int64
             * @description required for a new one; cannot change
             */
            product_id: number;
            /** @description a search request of one of the buyers */
            search_id?: number | null;
            /** @description customers, at most 10, each once; the product's owner, where a new one has none */
            sellers?: number[] | null;
            /** @description BROUILLON where nothing is said */
            status?: ("BROUILLON" | "EN_COURS") | null;
            /** @description the product's, where a new one has none */
            user_id?: number | null;
            /** @description percent; by default that of where the property is */
            vat_rate?: number | null;
        };
        CreatePermanenceRequest: {
            /**
             * Format: int64
             * @description one of the token's agencies; required for a new one
             */
            agency_id: number;
            /** @description false: nobody can book the user while on duty; true for a new one */
            bookable?: boolean | null;
            /** @description a remark for people */
            comment?: string | null;
            /**
             * Format: date-time
             * @description required for a new one; after start_at, at most 24 hours later
             */
            end_at: string;
            /** @description starts that do not take place */
            exdates?: string[] | null;
            /** @description value of RRULE (RFC 5545); null for none */
            rrule?: string | null;
            /**
             * Format: date-time
             * @description required for a new one; in timezone where it has no offset
             */
            start_at: string;
            /** @description IANA name; that of the agency, where a new one has none */
            timezone?: string | null;
            /**
             * @description required for a new one
             * @enum {string}
             */
            type: "ACCUEIL" | "TELEPHONE" | "WEB" | "ASTREINTE";
            /**
             * Format: int64
             * @description an active user; required for a new one
             */
            user_id: number;
        };
        CreateProductActionRequest: {
            /**
             * Format: int64
             * @description one of GET /actions/types
             */
            action_id: number;
            /** @description one of the children of the type */
            child_action_id?: number | null;
            /** @description whom it was done with */
            customer_id?: number | null;
            /** @description now, unless given; may lie in the future */
            date_performed?: string | null;
            /** @description comment or result */
            result?: string | null;
            /** @description agent who performed it */
            user_id?: number | null;
        };
        CreateProductRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description color code */
            color?: number | null;
            /** @description criteria with their values */
            criteria?: components["schemas"]["CriterionInput"][] | null;
            /** @description owner */
            customer_id?: number | null;
            /** @description one per language; other languages stay */
            descriptions?: components["schemas"]["DescriptionInput"][] | null;
            /** @description whether other agencies of the site may offer it */
            intercabinet?: boolean | null;
            /** @description reference; generated when a new product has none */
            model?: string | null;
            /** @description day of the next contact */
            next_contact?: string | null;
            /** @description makes the product a lot of another */
            parent_id?: number | null;
            /** @description rooms of the property */
            rooms?: components["schemas"]["RoomInput"][] | null;
            /** @description whether the owner sees statistics */
            seller_statistics?: boolean | null;
            /** @description assigned agent */
            user_id?: number | null;
            /** @description whether it is published on the web */
            web_status?: boolean | null;
        };
        CreateSearchRequestRequest: {
            /** @description the customer's, where a new one has none */
            agency_id?: number | null;
            /** @description whether and how the customer is told of new matches */
            alerts?: components["schemas"]["AlertsInput"] | null;
            /** @description replaces the list */
            areas?: components["schemas"]["AreaInput"][] | null;
            /** @description at least so many bedrooms */
            bedrooms_min?: number | null;
            /** @description a remark for people */
            comment?: string | null;
            /** @description as in a search of products; replaces the list */
            criteria?: components["schemas"]["ConditionInput"][] | null;
            /** @description how it is paid for */
            financing?: components["schemas"]["FinancingInput"] | null;
            /** @description true for a new one */
            is_active?: boolean | null;
            /** @description replaces the list */
            key_points?: components["schemas"]["KeyPointInput"][] | null;
            /** @description at least so much land, in m² */
            land_min?: number | null;
            /** @description name for people */
            name?: string | null;
            /** @description code of list 10 */
            origin?: string | null;
            /** @description at most so much, in the site's currency */
            price_max?: number | null;
            /** @description this and the seven that follow are short for criteria */
            price_min?: number | null;
            /** @description codes of TypeBien; none is any */
            property_types?: string[] | null;
            /** @description at most so many rooms */
            rooms_max?: number | null;
            /** @description at least so many rooms */
            rooms_min?: number | null;
            /** @description where it stands */
            status?: ("ACTIVE" | "EN_PAUSE" | "ABOUTIE" | "ABANDONNEE") | null;
            /** @description at most so much living area, in m² */
            surface_max?: number | null;
            /** @description at least so much living area, in m² */
            surface_min?: number | null;
            /** @description code of TypeTransaction; required for a new one */
            transaction_type: string;
            /** @description code of list 14 */
            urgency?: string | null;
            /** @description the customer's, where a new one has none */
            user_id?: number | null;
        };
        CreateSellerLeadRequest: {
            /** @description street address */
            address?: string | null;
            /** @description one of the token's agencies; required when there are several */
            agency_id?: number | null;
            /** @description town */
            city?: string | null;
            /** @description code of list 6 */
            civility?: string | null;
            /** @description what the customer agreed to, and when */
            consent?: components["schemas"]["ConsentInput"] | null;
            /** @description ISO 3166 */
            country?: string | null;
            /** @description of the product that is created, as in POST /products */
            criteria?: components["schemas"]["CriterionInput"][] | null;
            /** @description e-mail address */
            email?: string | null;
            /** @description upper bound of the estimate, in the site's currency */
            estimated_price_max?: number | null;
            /** @description lower bound of the estimate, in the site's currency */
            estimated_price_min?: number | null;
            /** @description name of the tool that estimated */
            estimation_tool?: string | null;
            /** @description the sender's own id */
            external_id?: string | null;
            /** @description first name */
            firstname?: string | null;
            /** @description family name */
            lastname?: string | null;
            /** @description text for people */
            message?: string | null;
            /** @description an object of the sender's own, shown as it came */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description code of list 10 */
            origin?: string | null;
            /** @description where it came from, in words */
            origin_detail?: string | null;
            /** @description phone number */
            phone?: string | null;
            /** @description postal code */
            postal_code?: string | null;
            /** @description ESTIMATION without */
            project?: ("VENTE" | "LOCATION" | "ESTIMATION") | null;
            /** @description of the product that is created */
            rooms?: components["schemas"]["RoomInput"][] | null;
            /** @description when the owner would sell */
            sale_horizon?: string | null;
            /** @description assigned agent */
            user_id?: number | null;
            /** @description campaign the person came by */
            utm?: components["schemas"]["CampaignInput"] | null;
        } & (unknown | unknown);
        Created: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
        };
        CreatedBooking: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description where it stands; one of `PREVU`, `CONFIRME`; more may be added */
            status: string;
            /** @description for X-Booking-Token */
            token: string;
        };
        CreatedBookingEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CreatedBooking"];
        };
        CreatedCustomer: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
        };
        CreatedCustomerEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CreatedCustomer"];
        };
        CreatedEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Created"];
        };
        CreatedEvent: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
        };
        CreatedEventEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CreatedEvent"];
        };
        CreatedFeed: {
            /** @description when the user is busy, as iCalendar */
            free_busy_url: string;
            /** @description iCalendar (RFC 5545), for programs that show calendars */
            url: string;
        };
        CreatedFeedEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CreatedFeed"];
        };
        CreatedHold: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /**
             * Format: date-time
             * @description when it ends by itself
             */
            expires_at: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description secret that proves who holds it */
            token: string;
        };
        CreatedHoldEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CreatedHold"];
        };
        CreatedLead: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
        };
        CreatedLeadEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CreatedLead"];
        };
        CriteriaResource: {
            /** @description how many decimals are shown */
            decimals: number | null;
            /** @description text about it */
            description: string | null;
            /** @description group it is shown in */
            group: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description created by the site */
            is_custom: boolean;
            /** @description whether it is a long text */
            is_fulltext: boolean;
            /** @description whether the site changed the label */
            is_label_custom: boolean;
            /** @description hidden from credentials that only feed websites */
            is_private: boolean;
            /** @description whether a product needs it to be published */
            is_required_for_publication: boolean;
            /** @description whether searches can name it */
            is_searchable: boolean;
            /** @description whether the site changed the values */
            is_values_custom: boolean;
            /** @description key by which it is named */
            key: string;
            /** @description name for people */
            label: string;
            /** @description largest value; null without a bound */
            max: number | null;
            /** @description longest text, in characters; null without a bound */
            max_length: number | null;
            /** @description smallest value; null without a bound */
            min: number | null;
            /**
             * Format: int64
             * @description place in the order shown
             */
            position: number;
            /** @description codes of TypeBien it applies to; empty is all */
            property_types: string[];
            /** @description which type it is; one of `UNIQUE`, `NUMBER`, `FLAG`, `TEXT`, `MULTIPLE`, `DATE`; more may be added */
            type: string;
            /** @description unit of the value */
            unit: string | null;
        };
        CriteriaResourceList: {
            /** @description what was asked for */
            data: components["schemas"]["CriteriaResource"][];
        };
        CriterionDetail: {
            /** @description how many decimals are shown */
            decimals: number | null;
            /** @description text about it */
            description: string | null;
            /** @description group it is shown in */
            group: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description created by the site */
            is_custom: boolean;
            /** @description whether it is a long text */
            is_fulltext: boolean;
            /** @description whether the site changed the label */
            is_label_custom: boolean;
            /** @description hidden from credentials that only feed websites */
            is_private: boolean;
            /** @description whether a product needs it to be published */
            is_required_for_publication: boolean;
            /** @description whether searches can name it */
            is_searchable: boolean;
            /** @description whether the site changed the values */
            is_values_custom: boolean;
            /** @description key by which it is named */
            key: string;
            /** @description name for people */
            label: string;
            /** @description largest value; null without a bound */
            max: number | null;
            /** @description longest text, in characters; null without a bound */
            max_length: number | null;
            /** @description smallest value; null without a bound */
            min: number | null;
            /**
             * Format: int64
             * @description place in the order shown
             */
            position: number;
            /** @description codes of TypeBien it applies to; empty is all */
            property_types: string[];
            /** @description which type it is; one of `UNIQUE`, `NUMBER`, `FLAG`, `TEXT`, `MULTIPLE`, `DATE`; more may be added */
            type: string;
            /** @description unit of the value */
            unit: string | null;
            /** @description values that can be chosen */
            values: components["schemas"]["ReferentialValueState"][];
        };
        CriterionDetailEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CriterionDetail"];
        };
        CriterionInput: {
            /** @description key, or numeric id */
            id: string;
            /** @description a code, a number, 0 or 1, a text, an array of codes or a date, by the criterion's type; null, an empty string and an empty array remove the criterion */
            value: string | number | string[];
        };
        CriterionValue: {
            /** @description computed, not sent */
            derived: boolean;
            /** @description key of the criterion */
            id: string;
            /** @description label of the value; labels of a MULTIPLE are joined by commas */
            label: string | null;
            /** @description a code, a number, 0 or 1, a text, an array of codes or a date, by the criterion's type */
            value: string | number | string[];
        };
        CursorPaginationLinks: {
            /** @description always null */
            first: string | null;
            /** @description always null */
            last: string | null;
            /** @description address of the next page; null on the last */
            next: string | null;
            /** @description address of the page before; null on the first */
            prev: string | null;
        };
        CursorPaginationMeta: {
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
            /** @description path of the list */
            path: string;
            /**
             * Format: int64
             * @description how many are on a page
             */
            per_page: number;
            /** @description cursor of the page before; null on the first */
            prev_cursor: string | null;
        };
        Customer: {
            /** @description postal addresses, the primary one first */
            addresses: components["schemas"]["PostalAddress"][];
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description when everything personal was removed; null while the customer is known */
            anonymized_at: string | null;
            /** @description date of birth */
            birth_date: string | null;
            /** @description name at birth */
            birth_name: string | null;
            /** @description place of birth */
            birth_place: string | null;
            /** @description code of list 6 */
            civility: string | null;
            /** @description access to the customers' area of the site */
            client_area: components["schemas"]["ClientArea"];
            /** @description color code */
            color: number | null;
            /** @description a remark for people */
            comment: string | null;
            /** @description name of the company */
            company: string | null;
            /** @description what the customer agreed to, and when */
            consent: components["schemas"]["Consent"];
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description e-mail address */
            email: string | null;
            /** @description e-mail addresses, the primary one first */
            emails: components["schemas"]["CustomerEmail"][];
            /** @description whether the person is married */
            family_status: string | null;
            /** @description first name */
            firstname: string | null;
            /**
             * Format: int64
             * @description how many products the customer follows
             */
            follow_ups_count: number;
            /** @description id of a gender */
            gender_id: number | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is archived */
            is_archived: boolean;
            /** @description ISO 639-1 code of the language */
            language: string | null;
            /** @description last status of a follow-up, or last action performed about the customer or with them */
            last_contact_at: string | null;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description family name */
            lastname: string | null;
            /** @description legal form of the company */
            legal_form: string | null;
            /** @description from the mandate criteria of the products owned */
            mandates: components["schemas"]["Mandate"][];
            /** @description matrimonial property regime */
            matrimonial_regime: string | null;
            /** @description nationality */
            nationality: string | null;
            /** @description day of the next contact */
            next_contact: string | null;
            /** @description the customer's notary */
            notary: components["schemas"]["Notary"] | null;
            /** @description code of list 10 */
            origin: string | null;
            /** @description where it came from, in words */
            origin_detail: string | null;
            /** @description phone number */
            phone: string | null;
            /** @description phone numbers, the primary one first */
            phone_numbers: components["schemas"]["PhoneNumber"][];
            /** @description profession */
            profession: string | null;
            /** @description people the customer has to do with */
            related_contacts: components["schemas"]["RelatedContact"][];
            /** @description from products owned and search requests: VENDEUR, BAILLEUR, ACQUEREUR, LOCATAIRE */
            roles: string[];
            /**
             * Format: int64
             * @description how many search requests the customer has
             */
            searches_count: number;
            /** @description SIRET, 14 digits */
            siret: string | null;
            /** @description webhooks whose receiver refused the last event about this customer */
            sync_errors: components["schemas"]["SyncError"][];
            /** @description code of list 5 */
            type: string;
            /** @description id of a user */
            user_id: number | null;
            /** @description VAT number */
            vat_number: string | null;
        };
        CustomerEmail: {
            /** @description e-mail address */
            email: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is the one to use first */
            is_primary: boolean;
            /** @description which type it is */
            type: string | null;
        };
        CustomerEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Customer"];
        };
        CustomerExport: {
            /** @description about the customer or done with them, latest first */
            actions: components["schemas"]["ExportedAction"][];
            /** @description calendar events that the customer attends, or that have a report about them */
            appointments: components["schemas"]["AttendedEvent"][];
            /** @description visits that the customer booked */
            bookings: components["schemas"]["BookedVisit"][];
            /** @description consent in it has its source and its dates */
            customer: components["schemas"]["Customer"];
            /**
             * Format: date-time
             * @description when the export was made
             */
            exported_at: string;
            /** @description products the customer follows */
            follow_ups: components["schemas"]["FollowUp"][];
            /** @description leads of the customer */
            leads: components["schemas"]["Lead"][];
            /** @description to which the customer is a party */
            leases: components["schemas"]["Lease"][];
            /** @description other customers who name this one, with what they say */
            mentions: components["schemas"]["Mention"][];
            /** @description that the customer owns */
            products: components["schemas"]["OwnedProduct"][];
            /** @description to which the customer is a party */
            sale_agreements: components["schemas"]["SaleAgreement"][];
            /** @description to which the customer is a party */
            sale_offers: components["schemas"]["SaleOffer"][];
            /** @description search requests */
            searches: components["schemas"]["SearchRequest"][];
            /** @description the lists that are longer than the thousand entries shown; empty: this is all */
            truncated: string[];
        };
        CustomerExportEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["CustomerExport"];
        };
        CustomerResult: {
            /** @description what was asked for */
            data: components["schemas"]["CustomerSummary"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        CustomerSummary: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description code of list 6 */
            civility: string | null;
            /** @description color code */
            color: number | null;
            /** @description name of the company */
            company: string | null;
            /** @description e-mail address */
            email: string | null;
            /** @description first name */
            firstname: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description family name */
            lastname: string | null;
            /** @description phone number */
            phone: string | null;
            /** @description code of list 5 */
            type: string;
            /** @description id of a user */
            user_id: number | null;
        };
        Deadline: {
            /**
             * Format: date-time
             * @description the end of the last day, in the zone of the site
             */
            ends_at: string;
            /** @description the end was moved to a working day */
            extended: boolean;
            /**
             * Format: date
             * @description first day, or when it begins
             */
            from: string;
            /** @description which kind it is */
            kind: string;
            /**
             * Format: date
             * @description last day of the period
             */
            last_day: string;
            /** @description how many months */
            months: number | null;
            /**
             * Format: date
             * @description the end by the length of the period alone
             */
            nominal: string;
            /** @description region whose holidays count */
            region: string;
        };
        DeadlineInput: {
            /**
             * Format: date
             * @description first day, or when it begins
             */
            from: string;
            /**
             * @description which kind it is
             * @enum {string}
             */
            kind: "RETRACTATION" | "RESTITUTION_ACOMPTE" | "CONDITION_PRET" | "REFLEXION_PRET" | "PREEMPTION" | "PREAVIS" | "CONGE" | "TERME" | "REVISION" | "RESTITUTION_DEPOT";
            /** @description required for PREAVIS and CONGE (1 to 12), TERME (1 to 1200) and RESTITUTION_DEPOT (1 or 2), and for no other */
            months?: number | null;
            /** @description default FR */
            region?: ("FR" | "FR-AM" | "FR-971" | "FR-972" | "FR-973" | "FR-974" | "FR-975" | "FR-976" | "FR-977" | "FR-978" | "FR-986" | "FR-987" | "FR-988") | null;
        };
        Deadlines: {
            /** @description what was asked for */
            data: components["schemas"]["Deadline"][];
        };
        Delivering: {
            /**
             * Format: int64
             * @description id of the delivery, to look it up
             */
            delivery_id: number;
        };
        DeliveringEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Delivering"];
        };
        DeliveryDetail: {
            /** @description how often it was tried */
            attempts: components["schemas"]["AttemptRecord"][];
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description null for a test */
            event_id: number | null;
            /** @description what happened, as RESOURCE_ACTION */
            event_type: string;
            /**
             * Format: int64
             * @description id of the webhook
             */
            hook_id: number;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description when it is tried next; null when it is not */
            next_attempt_at: string | null;
            /** @description body of its requests, as the webhook's format has it now */
            payload: string;
            /** @description why */
            reason: string | null;
            /**
             * Format: int64
             * @description id of what it is about
             */
            resource_id: number;
            /** @description where it stands; one of `pending`, `succeeded`, `rejected`, `failed`, `cancelled`, `superseded`; more may be added */
            status: string;
            /** @description the webhook-id header */
            webhook_id: string;
        };
        DeliveryDetailEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["DeliveryDetail"];
        };
        DeliveryPage: {
            /** @description what was asked for */
            data: components["schemas"]["DeliveryRecord"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        DeliveryRecord: {
            /** @description how often it was tried */
            attempts: components["schemas"]["AttemptRecord"][];
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description null for a test */
            event_id: number | null;
            /** @description what happened, as RESOURCE_ACTION */
            event_type: string;
            /**
             * Format: int64
             * @description id of the webhook
             */
            hook_id: number;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description when it is tried next; null when it is not */
            next_attempt_at: string | null;
            /** @description why */
            reason: string | null;
            /**
             * Format: int64
             * @description id of what it is about
             */
            resource_id: number;
            /** @description where it stands; one of `pending`, `succeeded`, `rejected`, `failed`, `cancelled`, `superseded`; more may be added */
            status: string;
            /** @description the webhook-id header */
            webhook_id: string;
        };
        Deposit: {
            /**
             * Format: double
             * @description amount, in the site's currency
             */
            amount: number;
            /** @description last day for it */
            due_date: string | null;
            /** @description who holds it; one of `AGENCE`, `NOTAIRE`, `AUTRE`; more may be added */
            holder: string;
            /** @description day on which it was received */
            received_on: string | null;
        };
        DepositInput: {
            /**
             * Format: double
             * @description amount, in the site's currency
             */
            amount: number;
            /** @description last day for it */
            due_date?: string | null;
            /**
             * @description who holds it
             * @enum {string}
             */
            holder: "AGENCE" | "NOTAIRE" | "AUTRE";
            /** @description day on which it was received */
            received_on?: string | null;
        };
        Description: {
            /** @description ISO 639-1 code of the language */
            language: string;
            /** @description short text */
            short_text: string | null;
            /** @description the text */
            text: string;
            /** @description title */
            title: string | null;
        };
        DescriptionInput: {
            /** @description ISO 639-1 */
            language: string;
            /** @description short text */
            short_text?: string | null;
            /** @description null removes the language */
            text?: string | null;
            /** @description title */
            title?: string | null;
        };
        DiscoveryRecord: {
            /** @description street address */
            address: string | null;
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description town */
            city: string | null;
            /** @description e-mail address */
            email: string | null;
            /** @description registered name */
            legal_name: string | null;
            /** @description name for people */
            name: string;
            /** @description phone number */
            phone: string | null;
            /** @description postal code */
            postal_code: string | null;
            /** @description 9 digits */
            siren: string | null;
            /** @description 14 digits */
            siret: string | null;
            /**
             * Format: int64
             * @description id of the site
             */
            site_id: number;
        };
        DiscoveryRecordList: {
            /** @description what was asked for */
            data: components["schemas"]["DiscoveryRecord"][];
        };
        DutyNow: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /**
             * Format: int64
             * @description the duty roster it is from
             */
            permanence_id: number;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description which type it is; one of `ACCUEIL`, `TELEPHONE`, `WEB`, `ASTREINTE`; more may be added */
            type: string;
            /**
             * Format: int64
             * @description id of a user
             */
            user_id: number;
        };
        EmailInput: {
            /** @description true removes the entry */
            _delete?: boolean | null;
            /** @description e-mail address */
            email?: string | null;
            /** @description the entry to change; a new one without */
            id?: number | null;
            /** @description whether it is the one to use first */
            is_primary?: boolean | null;
            /** @description which type it is */
            type?: ("PERSO" | "PRO") | null;
        } & (unknown | unknown);
        EndLeaseRequest: {
            /**
             * Format: date
             * @description when the keys were returned
             */
            date: string;
            /** @description true: the deposit is paid back within one month, not two */
            inventory_conform?: boolean | null;
        };
        Energy: {
            /** @description DPE letter */
            conso_ener: string | null;
            /** @description primary energy, kWh/m²/year */
            conso_energ: number | null;
            /** @description day of the energy diagnosis */
            date_dpe: string | null;
            /** @description whether a letter was computed from the numbers */
            derived: boolean;
            /** @description GES letter */
            ges: string | null;
            /** @description name of the scale it was read off, such as fr-2021 */
            regime: string | null;
            /** @description kgCO2/m²/year */
            valeur_ges: number | null;
        };
        Error: {
            /** @description what went wrong */
            error: {
                /** @description stable; more may be added */
                code: string;
                /** @description what is wrong with the request, field by field */
                details?: components["schemas"]["ErrorDetail"][];
                /** @description for people; it may change. In English, or in French where Accept-Language prefers it */
                message: string;
            };
            /**
             * Format: uuid
             * @description equal to X-Request-Id
             */
            request_id: string;
        };
        ErrorDetail: {
            /** @description what would have been accepted */
            accepted_values?: string[];
            /** @description stable; more may be added */
            code: string;
            /** @description path of the field, such as criteria[2].value */
            field: string;
            /** @description for people; it may change. In English, or in French where Accept-Language prefers it */
            message: string;
            /** @description the offending value, when it helps */
            value?: unknown;
        };
        EventActor: {
            /** @description client id, id of the operator, of the import source or of the import, or what the system did; null for credentials that only feed websites */
            id: string | null;
            /** @description null where it is not known any more; one of `client`, `operator`, `source`, `import`, `system`; more may be added */
            kind: string | null;
        };
        EventPage: {
            /** @description what was asked for */
            data: components["schemas"]["EventRecord"][];
            /** @description true when there is another page */
            has_more: boolean;
            /**
             * Format: int64
             * @description id of the latest event of the site, whether or not it is shown
             */
            last_id: number;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        EventRecord: {
            /** @description null: about the site as a whole */
            agency_id: number | null;
            /** @description what happened, as RESOURCE_ACTION */
            event_type: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: int64
             * @description id of what it is about
             */
            resource_id: number;
            /**
             * Format: date-time
             * @description when it happened
             */
            timestamp: string;
        };
        ExceptionInput: {
            /**
             * Format: date
             * @description first day, or when it begins
             */
            from: string;
            /** @description none: absent */
            periods: components["schemas"]["PeriodInput"][];
            /** @description why */
            reason?: ("CONGE" | "MALADIE" | "FORMATION" | "AUTRE") | null;
            /** @description included; from where nothing is said */
            to?: string | null;
        };
        ExportedAction: {
            /** @description type of the action */
            action_id: number | null;
            /** @description child of the type of the action */
            child_action_id: number | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: date-time
             * @description when it was done
             */
            date_performed: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description what the action was called when it was written down */
            label: string;
            /** @description what it was about; null: the customer, or a product that is gone */
            product_id: number | null;
            /** @description comment or result */
            result: string | null;
            /** @description agent who performed it */
            user_id: number | null;
        };
        ExternalBusy: {
            /** @description times at which the user is busy */
            busy: components["schemas"]["Period"][];
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description where it comes from */
            source: string;
            /**
             * Format: int64
             * @description id of a user
             */
            user_id: number;
        };
        ExternalBusyEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["ExternalBusy"];
        };
        Facet: {
            /** @description counts by ranges of values */
            bands?: components["schemas"]["FacetBand"][];
            /** @description key of the criterion */
            id: string;
            /** @description in the order of the referential: active values, and others that have products */
            values?: components["schemas"]["FacetValue"][];
        };
        FacetBand: {
            /**
             * Format: int64
             * @description how many there are
             */
            count: number;
            /** @description a number or a date; null in the first band */
            from: (number | string) | null;
            /** @description null in the last band */
            to: (number | string) | null;
        };
        FacetInput: {
            /** @description NUMBER and DATE, required there: bounds, ascending; n bounds make n+1 bands */
            bands?: (number | string)[] | null;
            /** @description key, or numeric id, of any type but TEXT */
            id: string;
        };
        FacetValue: {
            /**
             * Format: int64
             * @description how many there are
             */
            count: number;
            /** @description null for a FLAG */
            label: string | null;
            /** @description a code; 0 or 1 for a FLAG, where none counts as 0 */
            value: string | number;
        };
        FacetsResult: {
            /**
             * Format: int64
             * @description how many products match
             */
            count: number;
            /** @description one for each facet asked for, in their order */
            data: components["schemas"]["Facet"][];
        };
        FailConditionRequest: {
            /** @description today where nothing is said; not in the future */
            date?: string | null;
            /** @description at most 10,000 characters */
            note?: string | null;
        };
        FieldChange: {
            /** @description as before */
            after: string | null;
            /** @description as text, of at most 200 characters; ‹string, n› stands for a text of n characters that is not kept. null: none, or not kept any more */
            before: string | null;
            /** @description a criterion, or the field of a request; fields within others after a dot */
            field: string;
        };
        Financing: {
            /** @description name of the broker */
            broker: string | null;
            /** @description what can be spent in all, in the site's currency */
            budget_total: number | null;
            /** @description own money, in the site's currency */
            contribution: number | null;
            /** @description whether the bank agreed */
            loan_agreed: boolean | null;
            /** @description whether the customer has to sell first */
            to_sell_first: boolean | null;
        };
        FinancingInput: {
            /** @description name of the broker */
            broker?: string | null;
            /** @description what can be spent in all, in the site's currency */
            budget_total?: number | null;
            /** @description own money, in the site's currency */
            contribution?: number | null;
            /** @description whether the bank agreed */
            loan_agreed?: boolean | null;
            /** @description whether the customer has to sell first */
            to_sell_first?: boolean | null;
        };
        FollowUp: {
            /** @description a remark for people */
            comment: string | null;
            /**
             * Format: int64
             * @description id of a customer
             */
            customer_id: number;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description the statuses it has had, the present one last */
            events: components["schemas"]["FollowUpEvent"][];
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description day of the next contact */
            next_contact: string | null;
            /** @description id of a product */
            product_id: number | null;
            /** @description how much the customer likes it, from 1 to 5 */
            rating: number | null;
            /** @description why the customer is not interested */
            refusal_reason: string | null;
            /** @description id of a search request */
            search_id: number | null;
            /** @description where it stands */
            status: string;
            /** @description id of a user */
            user_id: number | null;
        };
        FollowUpEvent: {
            /**
             * Format: date-time
             * @description when it happened
             */
            at: string;
            /** @description where it stands */
            status: string;
            /** @description id of a user */
            user_id: number | null;
        };
        FollowUpPage: {
            /** @description what was asked for */
            data: components["schemas"]["FollowUp"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        FoundEvent: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description true: the whole day, without times */
            all_day: boolean;
            /** @description who takes part */
            attendees: components["schemas"]["Attendee"][];
            /** @description booking it was made by; null without one */
            booking_id: number | null;
            /**
             * Format: int64
             * @description minutes
             */
            buffer_after: number;
            /**
             * Format: int64
             * @description minutes
             */
            buffer_before: number;
            /** @description client id */
            created_by: string | null;
            /** @description ids of customers */
            customer_ids: number[];
            /** @description when it was created */
            date_added: string | null;
            /** @description text about it */
            description: string | null;
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /** @description included */
            end_date: string | null;
            /** @description starts of occurrences that do not take place */
            exdates: string[];
            /** @description id it has in another system */
            external_id: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether the time counts as taken */
            is_busy: boolean;
            /** @description whether it is a visit by video */
            is_live_visit: boolean;
            /** @description when it was last changed */
            last_modified: string | null;
            /** @description degrees north */
            latitude: number | null;
            /** @description where it takes place */
            location: string | null;
            /** @description degrees east */
            longitude: number | null;
            /** @description address of the video meeting */
            meeting_url: string | null;
            /** @description original start of the occurrence; null of an event that does not repeat, or as a whole */
            occurrence: string | null;
            /** @description ids of products */
            product_ids: number[];
            /** @description minutes before the start */
            reminders: number[];
            /** @description reports of visits */
            reports: components["schemas"]["VisitReport"][];
            /** @description how it repeats, as RFC 5545 writes it */
            rrule: string | null;
            /** @description id of a search request */
            search_id: number | null;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description first day of an event that takes whole days */
            start_date: string | null;
            /** @description where it stands; one of `PREVU`, `CONFIRME`, `REALISE`, `ANNULE`, `ABSENT`; more may be added */
            status: string;
            /** @description IANA name of the time zone */
            timezone: string;
            /** @description null: hidden */
            title: string | null;
            /** @description model of a type of GET /agenda/types */
            type: string;
            /** @description ids of users */
            user_ids: number[];
            /** @description who may see it; one of `PUBLIC`, `PRIVE`; more may be added */
            visibility: string;
        };
        FoundEvents: {
            /** @description what was asked for */
            data: components["schemas"]["FoundEvent"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        FreeBusy: {
            /** @description what was asked for */
            data: components["schemas"]["UserBusy"][];
        };
        GeoJSON: {
            /** @description polygons of rings of [longitude, latitude] */
            coordinates: number[][][][];
            /** @description which type it is */
            type: string;
        };
        GeoJSONInput: {
            /** @description nested arrays of [longitude, latitude]; at most 2,000 positions */
            coordinates?: number[][][] | number[][][][];
            /** @description which type it is */
            type?: ("Polygon" | "MultiPolygon") | null;
        };
        GiveNoticeRequest: {
            /**
             * @description who did it
             * @enum {string}
             */
            by: "LOCATAIRE" | "BAILLEUR";
            /** @description required of landlords of dwellings: REPRISE, VENTE or MOTIF_LEGITIME; some reasons of tenants shorten the notice */
            reason?: string | null;
            /**
             * Format: date
             * @description not in the future
             */
            received_on: string;
        };
        Guarantee: {
            /**
             * Format: double
             * @description amount, in the site's currency
             */
            amount: number;
            /** @description who provides it */
            provider: string;
        };
        Holiday: {
            /**
             * Format: date
             * @description the day, YYYY-MM-DD
             */
            date: string;
            /** @description name for people */
            label: string;
        };
        Holidays: {
            /** @description what was asked for */
            data: components["schemas"]["Holiday"][];
        };
        HookAuth: {
            /** @description id under which the token is obtained */
            client_id: string | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description name of the header */
            header: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description name for people */
            name: string | null;
            /** @description ed25519, in base64: verifies v1a signatures */
            public_key: string | null;
            /** @description scope of the token */
            scope: string | null;
            /** @description where the token is obtained */
            token_url: string | null;
            /** @description which type it is; one of `basic`, `bearer`, `api_key`, `oauth2_client_credentials`, `ed25519`; more may be added */
            type: string;
            /** @description name to sign in with */
            username: string | null;
        };
        HookAuthEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["HookAuth"];
        };
        HookAuthInputRequest: {
            /** @description oauth2_client_credentials */
            client_id?: string | null;
            /** @description oauth2_client_credentials; write-only */
            client_secret?: string | null;
            /** @description api_key: name of the header */
            header?: string | null;
            /** @description name for people */
            name?: string | null;
            /** @description basic; write-only */
            password?: string | null;
            /** @description oauth2_client_credentials */
            scope?: string | null;
            /** @description bearer; write-only */
            token?: string | null;
            /** @description oauth2_client_credentials */
            token_url?: string | null;
            /**
             * @description which type it is
             * @enum {string}
             */
            type: "basic" | "bearer" | "api_key" | "oauth2_client_credentials" | "ed25519";
            /** @description basic */
            username?: string | null;
            /** @description api_key; write-only */
            value?: string | null;
        };
        HookAuthList: {
            /** @description what was asked for */
            data: components["schemas"]["HookAuth"][];
        };
        HookPage: {
            /** @description what was asked for */
            data: components["schemas"]["WebhookResponse"][];
            /** @description addresses of the pages around this one */
            links: components["schemas"]["CursorPaginationLinks"];
            /** @description where this page stands */
            meta: components["schemas"]["CursorPaginationMeta"];
        };
        HookSecret: {
            /** @description whsec_ and base64, for the Standard Webhooks libraries */
            secret: string;
        };
        HookSecretEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["HookSecret"];
        };
        INSEE: {
            /** @description of the commune */
            code: string;
            /** @description name of the commune */
            commune: string;
            /** @description code of the department */
            department_code: string;
            /** @description code of the region */
            region_code: string;
        };
        IndexValue: {
            /** @description day of publication */
            published_on: string | null;
            /** @description such as 2025-T3 */
            quarter: string;
            /** @description where it holds; null for everywhere; one of `METROPOLE`, `OUTRE_MER`, `CORSE`; more may be added */
            territory: string | null;
            /**
             * Format: double
             * @description value of the index
             */
            value: number;
        };
        IndexValues: {
            /** @description what was asked for */
            data: components["schemas"]["IndexValue"][];
        };
        Indexation: {
            /** @description index of rents; one of `IRL`, `ILC`, `ILAT`; more may be added */
            index: string;
            /** @description the reference, such as 2025-T3 */
            quarter: string;
        };
        IndexationInput: {
            /**
             * @description index of rents
             * @enum {string}
             */
            index: "IRL" | "ILC" | "ILAT";
            /** @description such as 2025-T3 */
            quarter: string;
        };
        Insurance: {
            /** @description number of the policy */
            policy: string | null;
            /** @description who provides it */
            provider: string;
        };
        IssueTokenRequest: {
            /** @description ignored, for OAuth libraries */
            grant_type?: string;
            /**
             * Format: int64
             * @description id of an agency; the site is that of the agency
             */
            manufacturer_id?: number;
            /**
             * Format: int64
             * @description id of the site
             */
            site_id?: number;
        } & (unknown | unknown);
        KeyPoint: {
            /** @description a remark for people */
            comment: string | null;
            /** @description number by which it is addressed */
            id: string;
            /** @description how much it matters */
            importance: string;
            /** @description what the criterion should be; null without a criterion */
            value: (string | number | string[]) | null;
        };
        KeyPointInput: {
            /** @description a remark for people */
            comment?: string | null;
            /** @description key or id of a criterion, or a code of list 13 */
            id: string;
            /** @description SOUHAITE without */
            importance?: ("INDISPENSABLE" | "SOUHAITE" | "EXCLU") | null;
            /** @description what the criterion should be: a number or date is the least, codes and texts are any of, a flag is set */
            value?: (string | number | string[]) | null;
        };
        LabelRecord: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description name for people */
            label: string;
            /** @description code or reference by which it is named in requests */
            model: string;
        };
        LabelRecordList: {
            /** @description what was asked for */
            data: components["schemas"]["LabelRecord"][];
        };
        Lead: {
            /** @description street address */
            address: string | null;
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description town */
            city: string | null;
            /** @description how the person is addressed */
            civility: string | null;
            /** @description country, as an ISO 3166 code or a code of the site */
            country: string | null;
            /** @description false: the customer was known already */
            customer_created: boolean;
            /** @description id of a customer */
            customer_id: number | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description always null: a lead sent again is the same lead */
            duplicate_of: number | null;
            /** @description e-mail address */
            email: string | null;
            /** @description upper bound of the estimate, in the site's currency */
            estimated_price_max: number | null;
            /** @description lower bound of the estimate, in the site's currency */
            estimated_price_min: number | null;
            /** @description name of the tool that estimated */
            estimation_tool: string | null;
            /** @description id it has in another system */
            external_id: string | null;
            /** @description first name */
            firstname: string | null;
            /** @description follow-up that was made of it; null without one */
            follow_up_id: number | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description which kind it is; one of `seller`, `buyer`; more may be added */
            kind: string;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description family name */
            lastname: string | null;
            /** @description text for people */
            message: string | null;
            /** @description the sender's own object, shown as it came; null without one */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description where it came from */
            origin: string | null;
            /** @description where it came from, in words */
            origin_detail: string | null;
            /** @description given beside email when the lead was sent again */
            other_emails: string[];
            /** @description given beside phone when the lead was sent again */
            other_phones: string[];
            /** @description phone number */
            phone: string | null;
            /** @description postal code */
            postal_code: string | null;
            /** @description at most so much, in the site's currency */
            price_max: number | null;
            /** @description of a seller, what was created; of a buyer, what was asked about */
            product_id: number | null;
            /** @description what the owner plans */
            project: string | null;
            /** @description when the owner would sell */
            sale_horizon: string | null;
            /** @description id of a search request */
            search_id: number | null;
            /** @description where it stands; one of `NOUVEAU`, `ATTRIBUE`, `CONTACTE`, `QUALIFIE`, `TRANSFORME`, `PERDU`; more may be added */
            status: string;
            /** @description code of TypeTransaction */
            transaction_type: string | null;
            /** @description id of a user */
            user_id: number | null;
            /** @description campaign the person came by */
            utm: components["schemas"]["UTM"];
            /** @description when the customer would visit */
            visit_wish: components["schemas"]["VisitWish"] | null;
        };
        LeadEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Lead"];
        };
        LeadPage: {
            /** @description what was asked for */
            data: components["schemas"]["Lead"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: number | null;
        };
        Lease: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description code of list 17 */
            cancellation_reason: string | null;
            /** @description charges of each period, in the site's currency */
            charges: number | null;
            /** @description how charges are paid; one of `PROVISION`, `FORFAIT`; more may be added */
            charges_mode: string | null;
            /** @description a remark for people */
            comment: string | null;
            /** @description what rent control says of the lease */
            control: components["schemas"]["Control"] | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description the last day of the present term; null without one */
            date_end: string | null;
            /** @description day of signature */
            date_signature: string | null;
            /**
             * Format: date
             * @description day on which the lease begins
             */
            date_start: string;
            /** @description deposit, and who holds it */
            deposit: number | null;
            /** @description last day to return the deposit */
            deposit_return_due: string | null;
            /** @description of the first term */
            duration_months: number | null;
            /** @description day on which the lease ended */
            ended_on: string | null;
            /** @description day of the inventory at entry */
            entry_inventory: string | null;
            /** @description day of the inventory at exit */
            exit_inventory: string | null;
            /** @description true when the landlord is a company of relatives */
            family_company: boolean;
            /** @description the landlord's fees for the inventory */
            fees_inventory_landlord: number | null;
            /** @description the tenant's fees for the inventory */
            fees_inventory_tenant: number | null;
            /** @description fees the landlord pays, in the site's currency */
            fees_landlord: number | null;
            /** @description fees the tenant pays, in the site's currency */
            fees_tenant: number | null;
            /** @description customers */
            guarantors: number[];
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description how the rent follows an index */
            indexation: components["schemas"]["Indexation"] | null;
            /** @description customers */
            landlords: number[];
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description notice that was given; null without one */
            notice: components["schemas"]["Notice"] | null;
            /** @description that of the agency, -B and a number without gaps */
            number: string;
            /** @description id of a product */
            product_id: number | null;
            /**
             * Format: double
             * @description by the month, without charges and supplement; for SAISONNIER for the stay
             */
            rent: number;
            /** @description supplement above the reference rent */
            rent_supplement: number | null;
            /** @description revisions of the rent */
            revisions: components["schemas"]["Revision"][];
            /** @description which part is let; null: all of it */
            room: string | null;
            /** @description why the term is shorter than the law's */
            short_reason: string | null;
            /** @description where it stands */
            status: string;
            /** @description why there is a supplement */
            supplement_reason: string | null;
            /** @description m² */
            surface: number | null;
            /** @description customers */
            tenants: number[];
            /** @description which type it is */
            type: string;
            /** @description id of a user */
            user_id: number | null;
            /**
             * Format: double
             * @description percent
             */
            vat_rate: number;
            /** @description what should be mended; it prevents nothing */
            warnings: string[];
            /** @description zone of rent control; one of `TRES_TENDUE`, `TENDUE`, `AUTRE`; more may be added */
            zone: string | null;
        };
        LeaseEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Lease"];
        };
        LeasePage: {
            /** @description what was asked for */
            data: components["schemas"]["Lease"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        LiftConditionRequest: {
            /** @description today where nothing is said; not in the future */
            date?: string | null;
            /** @description at most 10,000 characters */
            note?: string | null;
            /** @description the buyers do without it */
            waived?: boolean | null;
        };
        ListResource: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description key by which it is named */
            key: string;
            /** @description name for people */
            label: string;
        };
        ListResourceList: {
            /** @description what was asked for */
            data: components["schemas"]["ListResource"][];
        };
        LiveVisit: {
            /** @description host of the URL */
            provider: string;
            /** @description when it begins */
            starts_at: string | null;
            /** @description that of the next remote visit for everybody; VisiteVirtuelle without one, or else LienVideo */
            url: string;
        };
        Lots: {
            /** @description what was asked for */
            data: components["schemas"]["Product"][];
            /** @description true: there are more than the thousand shown */
            has_more: boolean;
        };
        Mandate: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description ids of customers */
            customer_ids: number[];
            /** @description criterion DateFinMandat */
            date_end: string | null;
            /** @description criterion DateMandat */
            date_start: string | null;
            /** @description fees, in the site's currency */
            fees_amount: number | null;
            /** @description criterion ChargeHonoraires */
            fees_payer: string | null;
            /** @description what the seller gets, in the site's currency */
            net_seller: number | null;
            /** @description criterion NumeroMandat */
            number: string;
            /** @description price, in the site's currency */
            price: number | null;
            /**
             * Format: int64
             * @description id of a product
             */
            product_id: number;
            /** @description where it stands; one of `PROJET`, `ACTIF`, `EXPIRE`, `RESILIE`, `REALISE`; more may be added */
            status: string;
            /** @description criterion TypeMandat */
            type: string | null;
            /** @description id of a user */
            user_id: number | null;
        };
        MatchMiss: {
            /** @description how far a number is from its bound, or a position from the circle, in km; null where there is no distance */
            by: number | null;
            /** @description what the product says; null when it says nothing */
            found: (string | number | string[]) | null;
            /** @description key of a criterion, or transaction_type, property_types or areas */
            id: string;
            /** @description what the search request asks */
            wanted: components["schemas"]["MatchWanted"];
            /** @description true for what is SOUHAITE */
            wish: boolean;
        };
        MatchReason: {
            /** @description what the product says; null when it says nothing */
            found: (string | number | string[]) | null;
            /** @description key of a criterion, or transaction_type, property_types or areas */
            id: string;
            /** @description what the search request asks */
            wanted: components["schemas"]["MatchWanted"];
            /** @description true for what is SOUHAITE */
            wish: boolean;
        };
        MatchWanted: {
            /** @description as in a search of products; EXCLU: must not hold; WITHIN: areas */
            operator: string;
            /** @description what is asked, by the criterion's type */
            value: string | number | string[];
        };
        MatchingProduct: {
            /**
             * Format: int64
             * @description whose search request it is
             */
            customer_id: number;
            /** @description false: a near miss */
            match: boolean;
            /** @description what does not, wishes of a match included */
            misses: components["schemas"]["MatchMiss"][];
            /**
             * Format: int64
             * @description id of a product
             */
            product_id: number;
            /** @description what holds, in the order of the search request */
            reasons: components["schemas"]["MatchReason"][];
            /**
             * Format: int64
             * @description 100 is everything, wishes included
             */
            score: number;
        };
        MatchingProductPage: {
            /**
             * Format: int64
             * @description how many there are on all pages together
             */
            count: number;
            /** @description what was asked for */
            data: components["schemas"]["MatchingProduct"][];
            /** @description true when there is another page */
            has_more: boolean;
        };
        MatchingSearch: {
            /**
             * Format: int64
             * @description whose search request it is
             */
            customer_id: number;
            /** @description false: a near miss */
            match: boolean;
            /** @description what does not, wishes of a match included */
            misses: components["schemas"]["MatchMiss"][];
            /** @description what holds, in the order of the search request */
            reasons: components["schemas"]["MatchReason"][];
            /**
             * Format: int64
             * @description 100 is everything, wishes included
             */
            score: number;
            /**
             * Format: int64
             * @description id of a search request
             */
            search_id: number;
        };
        MatchingSearchPage: {
            /**
             * Format: int64
             * @description how many there are on all pages together
             */
            count: number;
            /** @description what was asked for */
            data: components["schemas"]["MatchingSearch"][];
            /** @description true when there is another page */
            has_more: boolean;
        };
        Mediator: {
            /** @description name for people */
            name: string;
            /** @description address */
            url: string | null;
        };
        Mention: {
            /**
             * Format: int64
             * @description whose record it is
             */
            customer_id: number;
            /** @description the customer's notary */
            notary: components["schemas"]["Notary"] | null;
            /** @description people the customer has to do with */
            related_contacts: components["schemas"]["RelatedContact"][];
        };
        MergeCustomersRequest: {
            /**
             * Format: int64
             * @description the record of the same person that goes
             */
            customer_id: number;
            /** @description true only tells what would be done */
            preview?: boolean | null;
        };
        MergedCustomers: {
            /** @description who stays, afterwards */
            customer: components["schemas"]["Customer"];
            /** @description what named the one that goes, kind by kind */
            moved: components["schemas"]["MovedRecords"][];
            /** @description nothing was done */
            preview: boolean;
        };
        MergedCustomersEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["MergedCustomers"];
        };
        MovedRecords: {
            /**
             * Format: int64
             * @description that the one who stays had already
             */
            doubles: number;
            /** @description which kind it is; one of `searches`, `follow_ups`, `leads`, `products`, `sale_offers`, `sale_agreements`, `leases`, `appointments`, `bookings`, `actions`, `mentions`; more may be added */
            kind: string;
            /**
             * Format: int64
             * @description that name the one who stays from now on
             */
            moved: number;
        };
        NearInput: {
            /**
             * Format: double
             * @description degrees north
             */
            latitude: number;
            /**
             * Format: double
             * @description degrees east
             */
            longitude: number;
            /**
             * Format: double
             * @description above 0
             */
            radius_km: number;
        };
        Negotiation: {
            /** @description amount, in the site's currency */
            amount: number | null;
            /**
             * Format: date-time
             * @description when it happened
             */
            at: string;
            /** @description who did it; one of `ACQUEREUR`, `VENDEUR`; more may be added */
            by: string | null;
            /** @description which kind it is; one of `ENVOI`, `CONTRE`, `ACCEPTATION`, `REFUS`, `RETRAIT`, `EXPIRATION`, `ANNULATION`; more may be added */
            kind: string;
            /** @description id of a user */
            user_id: number | null;
        };
        NotariseAgreementRequest: {
            /**
             * Format: date
             * @description not in the future
             */
            date_deed: string;
        };
        Notary: {
            /** @description town */
            city: string | null;
            /** @description id of a customer */
            customer_id: number | null;
            /** @description e-mail address */
            email: string | null;
            /** @description name for people */
            name: string | null;
            /** @description name of the office */
            office: string | null;
            /** @description phone number */
            phone: string | null;
        };
        NotaryInput: {
            /** @description town */
            city?: string | null;
            /** @description where the notary is a customer too */
            customer_id?: number | null;
            /** @description e-mail address */
            email?: string | null;
            /** @description a notary has one, or a customer_id */
            name?: string | null;
            /** @description name of the office */
            office?: string | null;
            /** @description phone number */
            phone?: string | null;
        };
        Notice: {
            /** @description who did it; one of `LOCATAIRE`, `BAILLEUR`; more may be added */
            by: string;
            /**
             * Format: date
             * @description day on which it ends
             */
            ends_on: string;
            /**
             * Format: int64
             * @description how many months
             */
            months: number;
            /** @description why */
            reason: string | null;
            /**
             * Format: date
             * @description day on which it was received
             */
            received_on: string;
        };
        Notification: {
            /**
             * Format: int64
             * @description id of a customer
             */
            customer_id: number;
            /**
             * Format: date
             * @description first presentation or hand-over
             */
            date: string;
            /**
             * Format: date-time
             * @description the end of that day
             */
            ends_at: string;
            /**
             * Format: date
             * @description the last day to withdraw
             */
            last_day: string;
            /** @description how it was sent; one of `LRAR`, `LRE`, `HUISSIER`, `REMISE_NOTAIRE`, `REMISE_AGENCE`; more may be added */
            method: string;
        };
        NotificationInput: {
            /**
             * Format: int64
             * @description a buyer without a company
             */
            customer_id: number;
            /**
             * Format: date
             * @description first presentation or hand-over
             */
            date: string;
            /**
             * @description how it was sent
             * @enum {string}
             */
            method: "LRAR" | "LRE" | "HUISSIER" | "REMISE_NOTAIRE" | "REMISE_AGENCE";
        };
        NotifyBuyersRequest: {
            /** @description at least one; a second one of the same customer replaces the first */
            notifications: components["schemas"]["NotificationInput"][];
        };
        Occurrence: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /** @description original start; null of an event that does not repeat */
            occurrence: string | null;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description where it stands; one of `PREVU`, `CONFIRME`, `REALISE`, `ANNULE`, `ABSENT`; more may be added */
            status: string;
        };
        Occurrences: {
            /** @description what was asked for */
            data: components["schemas"]["Occurrence"][];
            /** @description true when there is another page */
            has_more: boolean;
        };
        OfferFinancing: {
            /** @description own money, in the site's currency */
            contribution: number | null;
            /** @description amount of the loan, in the site's currency */
            loan_amount: number | null;
            /** @description duration of the loan, in months */
            loan_months: number | null;
            /** @description percent */
            loan_rate_max: number | null;
            /** @description true: no loan is taken */
            without_loan: boolean;
        };
        OnDuty: {
            /** @description what was asked for */
            data: components["schemas"]["DutyNow"][];
        };
        OnePhoto: {
            /** @description what was asked for */
            data: components["schemas"]["Photo"];
        };
        OnlineBooking: {
            /** @description true when it is on */
            enabled: boolean;
            /** @description the next five; empty in lists */
            next_slots: components["schemas"]["BookingSlot"][];
            /** @description address */
            url: string | null;
        };
        OnlineBookingInput: {
            /** @description minutes; default that of the type */
            buffer_after?: number | null;
            /** @description minutes; default that of the type */
            buffer_before?: number | null;
            /** @description until how long before the start visitors may cancel or move; default 120 */
            cancel_notice_minutes?: number | null;
            /** @description default AUTO */
            confirmation?: ("AUTO" | "MANUELLE") | null;
            /** @description default that of the type */
            duration_minutes?: number | null;
            /** @description false where nothing is said */
            enabled?: boolean | null;
            /** @description default 600 */
            hold_seconds?: number | null;
            /** @description default 30 */
            horizon_days?: number | null;
            /** @description how far ahead a visit is booked, at least; default 1440 */
            notice_minutes?: number | null;
            /** @description where visitors book, with {product_id} in it */
            page_url?: string | null;
            /** @description how far starts are apart; default 30 */
            step_minutes?: number | null;
            /** @description model of an active type; default VISITE */
            type?: string | null;
            /** @description active users of the agency, for products that have nobody; none: all of them */
            user_ids?: number[] | null;
        };
        OnlineBookingSettings: {
            /**
             * Format: int64
             * @description minutes
             */
            buffer_after: number;
            /**
             * Format: int64
             * @description minutes
             */
            buffer_before: number;
            /**
             * Format: int64
             * @description how long before its start a visit can be cancelled online
             */
            cancel_notice_minutes: number;
            /** @description whether bookings are confirmed at once; one of `AUTO`, `MANUELLE`; more may be added */
            confirmation: string;
            /**
             * Format: int64
             * @description how long it takes, in minutes
             */
            duration_minutes: number;
            /** @description true when it is on */
            enabled: boolean;
            /**
             * Format: int64
             * @description how long a time is held for a visitor
             */
            hold_seconds: number;
            /**
             * Format: int64
             * @description how many days ahead can be booked
             */
            horizon_days: number;
            /**
             * Format: int64
             * @description how long before its start a visit can be booked
             */
            notice_minutes: number;
            /** @description address of the booking page */
            page_url: string | null;
            /**
             * Format: int64
             * @description minutes between two times that can be booked
             */
            step_minutes: number;
            /** @description which type it is */
            type: string;
            /** @description ids of users */
            user_ids: number[];
        };
        OpeningHours: {
            /** @description when it closes, HH:MM */
            close: string;
            /** @description when it opens, HH:MM */
            open: string;
            /**
             * Format: int64
             * @description day of the week, from 1, Monday, to 7
             */
            weekday: number;
        };
        OwnedProduct: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description code or reference by which it is named in requests */
            model: string;
        };
        PatternInput: {
            /** @description default 1 */
            cycle_weeks?: number | null;
            /** @description days of the week, with their times */
            days?: components["schemas"]["WeekdayInput"][] | null;
            /** @description required with cycle_weeks above 1 */
            valid_from?: string | null;
            /** @description included */
            valid_to?: string | null;
        };
        Pending: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description the condition it is about; null for others */
            condition_id: number | null;
            /** @description id of a customer */
            customer_id: number | null;
            /**
             * Format: date
             * @description the day, YYYY-MM-DD
             */
            date: string;
            /** @description which kind it is; one of `RETRACTATION`, `CONDITION`, `RESTITUTION_ACOMPTE`, `ACTE`, `TERME`, `CONGE`, `OFFRE`; more may be added */
            kind: string;
            /** @description id of a product */
            product_id: number | null;
            /** @description kind of record it is about; one of `OFFER`, `AGREEMENT`, `LEASE`; more may be added */
            resource: string;
            /**
             * Format: int64
             * @description id of what it is about
             */
            resource_id: number;
            /** @description id of a user */
            user_id: number | null;
        };
        PendingDeadline: {
            /** @description the condition it is about; null for others */
            condition_id: number | null;
            /** @description id of a customer */
            customer_id: number | null;
            /**
             * Format: date
             * @description the day, YYYY-MM-DD
             */
            date: string;
            /** @description which kind it is */
            kind: string;
        };
        Period: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
        };
        PeriodInput: {
            /** @description after start, up to 24:00 */
            end: string;
            /** @description such as 09:00 */
            start: string;
        };
        Permanence: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description true: visitors can book these times online */
            bookable: boolean;
            /** @description a remark for people */
            comment: string | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /** @description starts of occurrences that do not take place */
            exdates: string[];
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description how it repeats, as RFC 5545 writes it */
            rrule: string | null;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description IANA name of the time zone */
            timezone: string;
            /** @description which type it is; one of `ACCUEIL`, `TELEPHONE`, `WEB`, `ASTREINTE`; more may be added */
            type: string;
            /**
             * Format: int64
             * @description id of a user
             */
            user_id: number;
        };
        PermanenceEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Permanence"];
        };
        PermanenceOccurrence: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description true: visitors can book these times online */
            bookable: boolean;
            /** @description a remark for people */
            comment: string | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /** @description starts of occurrences that do not take place */
            exdates: string[];
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description original start; null of one that does not repeat */
            occurrence: string | null;
            /** @description how it repeats, as RFC 5545 writes it */
            rrule: string | null;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description IANA name of the time zone */
            timezone: string;
            /** @description which type it is; one of `ACCUEIL`, `TELEPHONE`, `WEB`, `ASTREINTE`; more may be added */
            type: string;
            /**
             * Format: int64
             * @description id of a user
             */
            user_id: number;
        };
        Permanences: {
            /** @description what was asked for */
            data: components["schemas"]["PermanenceOccurrence"][];
            /** @description there is more */
            truncated: boolean;
        };
        PhoneInput: {
            /** @description true removes the entry */
            _delete?: boolean | null;
            /** @description a remark for people */
            comment?: string | null;
            /** @description ISO 3166; where the number is dialled */
            country?: string | null;
            /** @description the entry to change; a new one without */
            id?: number | null;
            /** @description whether it is the one to use first */
            is_primary?: boolean | null;
            /** @description at least 4 digits, in any formatting */
            number?: string | null;
            /** @description whether text messages may be sent */
            sms_allowed?: boolean | null;
            /** @description code of list 7 */
            type?: string | null;
        } & (unknown | unknown);
        PhoneNumber: {
            /** @description a remark for people */
            comment: string | null;
            /** @description country, as an ISO 3166 code or a code of the site */
            country: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is the one to use first */
            is_primary: boolean;
            /** @description as it was sent */
            number: string;
            /** @description international form; null when the number has none */
            number_e164: string | null;
            /** @description whether text messages may be sent */
            sms_allowed: boolean;
            /** @description code of list 7 */
            type: string | null;
        };
        Photo: {
            /** @description media type */
            content_type: string;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: int64
             * @description height in pixels
             */
            height: number;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description name for people */
            label: string | null;
            /**
             * Format: int64
             * @description place among the pictures that are shown, from 1
             */
            position: number;
            /** @description of what the url answers with, in hex */
            sha256: string;
            /**
             * Format: int64
             * @description bytes
             */
            size: number;
            /** @description smaller copies, in JPEG */
            sizes: components["schemas"]["PhotoSize"][];
            /** @description needs no token; that of a private picture is signed, and valid for 15 minutes */
            url: string;
            /** @description who may see it; one of `public`, `private`; more may be added */
            visibility: string;
            /**
             * Format: int64
             * @description width in pixels
             */
            width: number;
        };
        PhotoList: {
            /** @description what was asked for */
            data: components["schemas"]["Photo"][];
        };
        PhotoSize: {
            /** @description address */
            url: string;
            /**
             * Format: int64
             * @description 320, 800 or 1600
             */
            width: number;
        };
        Position: {
            /**
             * Format: double
             * @description degrees north
             */
            latitude: number;
            /**
             * Format: double
             * @description degrees east
             */
            longitude: number;
            /** @description how sure the position is, from 0 to 1 */
            score: number | null;
            /** @description where it comes from; one of `alentour`, `address`, `city`; more may be added */
            source: string;
        };
        PostalAddress: {
            /** @description town */
            city: string | null;
            /** @description country, as an ISO 3166 code or a code of the site */
            country: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is the one to use first */
            is_primary: boolean;
            /** @description first line of the address */
            line1: string | null;
            /** @description second line of the address */
            line2: string | null;
            /** @description postal code */
            postal_code: string | null;
            /** @description code of list 8 */
            type: string | null;
        };
        Product: {
            /** @description block: actions that are in the history, latest first */
            actions_history?: components["schemas"]["ActionHistoryItem"][];
            /** @description block: the agreement in force; null without one */
            active_sale_agreement?: components["schemas"]["SaleAgreement"] | null;
            /** @description Adresse; null for credentials that only feed websites when AdresseMasquee is 1 */
            address: string | null;
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description block: the agent in charge; null without one */
            assigned_to?: components["schemas"]["UserSummary"] | null;
            /** @description block: family and name of the type of property */
            category?: components["schemas"]["Category"] | null;
            /** @description town */
            city: string | null;
            /** @description color code */
            color: number | null;
            /** @description country, as an ISO 3166 code or a code of the site */
            country: string | null;
            /** @description the first public picture; null without one */
            cover_photo_url: string | null;
            /** @description block: who made the product; null when unknown */
            created_by?: components["schemas"]["UserSummary"] | null;
            /** @description block: criteria of type FLAG */
            criteres_flag?: components["schemas"]["CriterionValue"][];
            /** @description block: long texts */
            criteres_fulltext?: components["schemas"]["CriterionValue"][];
            /** @description block: criteria of type NUMBER */
            criteres_number?: components["schemas"]["CriterionValue"][];
            /** @description block: what keeps the product from being published */
            criteres_publication_errors?: components["schemas"]["PublicationError"][];
            /** @description block: criteria of the other types */
            criteres_text?: components["schemas"]["CriterionValue"][];
            /** @description block: the owner; null without one */
            customer?: components["schemas"]["CustomerSummary"] | null;
            /** @description owner; this and the four that follow are null for credentials that only feed websites */
            customer_id: number | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description block: texts for the web, by language */
            descriptions?: components["schemas"]["Description"][];
            /** @description energy label */
            energy: components["schemas"]["Energy"];
            /** @description whether there is a 360-degree visit */
            has_visit360: boolean;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description block: commune, department and region; null when unknown */
            insee?: components["schemas"]["INSEE"] | null;
            /** @description whether other agencies of the site may offer it */
            intercabinet: boolean;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description block: the next visit by video; null without one */
            live_visit?: components["schemas"]["LiveVisit"] | null;
            /** @description block: all actions, latest first */
            log_actions?: components["schemas"]["ActionLogItem"][];
            /**
             * Format: int64
             * @description how many lots it has
             */
            lots_count: number;
            /** @description reference of the mandate or agency */
            model: string;
            /** @description day of the next contact */
            next_contact: string | null;
            /** @description whether and how visitors book online */
            online_booking?: components["schemas"]["OnlineBooking"];
            /** @description the product this is a lot of; null once that is gone */
            parent_id: number | null;
            /**
             * Format: int64
             * @description public pictures
             */
            photos_count: number;
            /** @description where it is; null when unknown */
            position: components["schemas"]["Position"] | null;
            /** @description postal code */
            postal_code: string | null;
            /** @description Prix, in the site's currency */
            price: number | null;
            /** @description block: pictures */
            products_photos?: components["schemas"]["Photo"][];
            /** @description code of TypeBien */
            property_type: string | null;
            /** @description block: where the product is published */
            publications?: components["schemas"]["Publication"][];
            /** @description rooms of the property */
            rooms?: components["schemas"]["Room"][];
            /** @description NbPieces */
            rooms_number: number | null;
            /** @description block: sale agreements */
            sale_agreement?: components["schemas"]["SaleAgreement"][];
            /** @description block: sites and agencies that may see the product */
            scopes?: components["schemas"]["ScopeItem"][];
            /** @description whether the owner sees statistics */
            seller_statistics: boolean | null;
            /** @description block: numbers about the product */
            statistic?: components["schemas"]["Statistic"];
            /** @description code of Statut */
            status: string | null;
            /** @description Surface, living area in m² */
            surface: number | null;
            /** @description rejections by webhook receivers */
            sync_errors: components["schemas"]["SyncError"][] | null;
            /** @description block: themes of the product */
            themes?: components["schemas"]["Theme"][];
            /** @description title in the site's main language */
            title: string | null;
            /** @description code of TypeTransaction */
            transaction_type: string | null;
            /** @description assigned agent */
            user_id: number | null;
            /** @description whether it is published on the web */
            web_status: boolean;
        };
        ProductCriteria: {
            /** @description what was asked for */
            data: components["schemas"]["ProductCriterion"][];
        };
        ProductCriterion: {
            /** @description key of the criterion */
            id: string;
            /** @description label of the value; labels of a MULTIPLE are joined by commas */
            label: string | null;
            /** @description a code, a number, 0 or 1, a text, an array of codes or a date, by the criterion's type */
            value: string | number | string[];
        };
        ProductEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Product"];
        };
        ProductFacetsRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description conditions on criteria, all of which must hold */
            criterias?: components["schemas"]["ConditionInput"][] | null;
            /** @description owner; not for credentials that only feed websites */
            customer_id?: number | null;
            /** @description criteria to count by */
            facets: components["schemas"]["FacetInput"][];
            /** @description whether there is a 360-degree visit */
            has_visit360?: boolean | null;
            /** @description part of the reference, of address and city or of the owner's name; a number also finds prices within 10 percent */
            keyword?: string | null;
            /** @description modified on or after */
            last_modified?: string | null;
            /** @description exact reference */
            model?: string | null;
            /** @description extension: positions in a circle */
            near?: components["schemas"]["NearInput"] | null;
            /** @description lots of this product; null: no lots */
            parent_id?: number | null;
            /** @description assigned agents */
            products_admin_id?: (number[] | string) | null;
            /** @description true: published only; false: unpublished only */
            status_web?: boolean | null;
            /** @description extension: positions in a box */
            within?: components["schemas"]["WithinInput"] | null;
        };
        ProductSummary: {
            /** @description block: actions that are in the history, latest first */
            actions_history?: components["schemas"]["ActionHistoryItem"][];
            /** @description block: the agreement in force; null without one */
            active_sale_agreement?: components["schemas"]["SaleAgreement"] | null;
            /** @description Adresse; null for credentials that only feed websites when AdresseMasquee is 1 */
            address?: string | null;
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id?: number;
            /** @description block: the agent in charge; null without one */
            assigned_to?: components["schemas"]["UserSummary"] | null;
            /** @description block: family and name of the type of property */
            category?: components["schemas"]["Category"] | null;
            /** @description town */
            city?: string | null;
            /** @description color code */
            color?: number | null;
            /** @description country, as an ISO 3166 code or a code of the site */
            country?: string | null;
            /** @description the first public picture; null without one */
            cover_photo_url?: string | null;
            /** @description block: who made the product; null when unknown */
            created_by?: components["schemas"]["UserSummary"] | null;
            /** @description block: criteria of type FLAG */
            criteres_flag?: components["schemas"]["CriterionValue"][];
            /** @description block: long texts */
            criteres_fulltext?: components["schemas"]["CriterionValue"][];
            /** @description block: criteria of type NUMBER */
            criteres_number?: components["schemas"]["CriterionValue"][];
            /** @description block: what keeps the product from being published */
            criteres_publication_errors?: components["schemas"]["PublicationError"][];
            /** @description block: criteria of the other types */
            criteres_text?: components["schemas"]["CriterionValue"][];
            /** @description block: the owner; null without one */
            customer?: components["schemas"]["CustomerSummary"] | null;
            /** @description owner; this and the four that follow are null for credentials that only feed websites */
            customer_id?: number | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added?: string;
            /** @description block: texts for the web, by language */
            descriptions?: components["schemas"]["Description"][];
            /** @description energy label */
            energy?: components["schemas"]["Energy"];
            /** @description whether there is a 360-degree visit */
            has_visit360?: boolean;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description block: commune, department and region; null when unknown */
            insee?: components["schemas"]["INSEE"] | null;
            /** @description whether other agencies of the site may offer it */
            intercabinet?: boolean;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified?: string;
            /** @description block: the next visit by video; null without one */
            live_visit?: components["schemas"]["LiveVisit"] | null;
            /** @description block: all actions, latest first */
            log_actions?: components["schemas"]["ActionLogItem"][];
            /**
             * Format: int64
             * @description how many lots it has
             */
            lots_count?: number;
            /** @description reference of the mandate or agency */
            model?: string;
            /** @description day of the next contact */
            next_contact?: string | null;
            /** @description whether and how visitors book online */
            online_booking?: components["schemas"]["OnlineBooking"];
            /** @description the product this is a lot of; null once that is gone */
            parent_id?: number | null;
            /**
             * Format: int64
             * @description public pictures
             */
            photos_count?: number;
            /** @description where it is; null when unknown */
            position?: components["schemas"]["Position"] | null;
            /** @description postal code */
            postal_code?: string | null;
            /** @description Prix, in the site's currency */
            price?: number | null;
            /** @description block: pictures */
            products_photos?: components["schemas"]["Photo"][];
            /** @description code of TypeBien */
            property_type?: string | null;
            /** @description block: where the product is published */
            publications?: components["schemas"]["Publication"][];
            /** @description rooms of the property */
            rooms?: components["schemas"]["Room"][];
            /** @description NbPieces */
            rooms_number?: number | null;
            /** @description block: sale agreements */
            sale_agreement?: components["schemas"]["SaleAgreement"][];
            /** @description block: sites and agencies that may see the product */
            scopes?: components["schemas"]["ScopeItem"][];
            /** @description whether the owner sees statistics */
            seller_statistics?: boolean | null;
            /** @description block: numbers about the product */
            statistic?: components["schemas"]["Statistic"];
            /** @description code of Statut */
            status?: string | null;
            /** @description Surface, living area in m² */
            surface?: number | null;
            /** @description rejections by webhook receivers */
            sync_errors?: components["schemas"]["SyncError"][] | null;
            /** @description block: themes of the product */
            themes?: components["schemas"]["Theme"][];
            /** @description title in the site's main language */
            title?: string | null;
            /** @description code of TypeTransaction */
            transaction_type?: string | null;
            /** @description assigned agent */
            user_id?: number | null;
            /** @description whether it is published on the web */
            web_status?: boolean;
        };
        ProfessionalCard: {
            /** @description who issued it */
            issued_by: string | null;
            /** @description T transaction, G management, S syndic */
            mentions: string[];
            /** @description number of the card */
            number: string;
            /** @description last day it is valid */
            valid_until: string | null;
        };
        Publication: {
            /** @description where it is published */
            channel: string;
            /** @description what went wrong */
            error: string | null;
            /** @description when it was published */
            published_at: string | null;
            /** @description reference it has there */
            reference: string | null;
            /** @description where it stands; one of `published`, `pending`, `error`, `off`; more may be added */
            status: string;
            /** @description address */
            url: string | null;
        };
        PublicationError: {
            /** @description where it is published */
            channel: string | null;
            /** @description stable code; one of `missing`, `invalid`, `legal_mention_missing`, `diagnosis_void`, `photo_missing`, `rejected_by_receiver`; more may be added */
            code: string;
            /** @description number by which it is addressed */
            id: string | null;
            /** @description text for people */
            message: string;
        };
        PutImportedRequest: {
            /** @description times at which the user is busy */
            busy: components["schemas"]["BusyInput"][];
        };
        PutSettingsRequest: {
            /** @description whether and how visitors book online */
            online_booking: components["schemas"]["OnlineBookingInput"];
        };
        PutWorkingTimeRequest: {
            /** @description true where nothing is said */
            bookable?: boolean | null;
            /** @description what holds instead of the patterns; none overlaps another */
            exceptions?: components["schemas"]["ExceptionInput"][] | null;
            /** @description no two from the same valid_from */
            patterns?: components["schemas"]["PatternInput"][] | null;
            /** @description false where nothing is said */
            works_holidays?: boolean | null;
        };
        ReadinessRecord: {
            /**
             * Format: int64
             * @description requests within the last 90 days
             */
            count: number;
            /**
             * Format: date
             * @description first day it was seen
             */
            first_day: string;
            /**
             * Format: date
             * @description last day it was seen
             */
            last_day: string;
            /** @description the last request it was seen in */
            last_request_id: string;
            /** @description as it was written */
            name: string;
            /** @description operation that was called */
            operation: string;
        };
        ReadinessRecordList: {
            /** @description what was asked for */
            data: components["schemas"]["ReadinessRecord"][];
        };
        RecordEvent: {
            /** @description who did it */
            by: components["schemas"]["EventActor"];
            /** @description of an update; of others empty */
            changes: components["schemas"]["FieldChange"][];
            /** @description what happened, as RESOURCE_ACTION */
            event_type: string;
            /**
             * Format: int64
             * @description that of the event
             */
            id: number;
            /** @description of the request that did it; null without one, and for credentials that only feed websites */
            request_id: string | null;
            /**
             * Format: date-time
             * @description when it happened
             */
            timestamp: string;
        };
        RecordHistory: {
            /** @description what was asked for */
            data: components["schemas"]["RecordEvent"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description id of the last entry looked at */
            next_cursor: number | null;
        };
        ReferentialValue: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description name for people */
            label: string;
            /** @description the code to send */
            model: string;
        };
        ReferentialValueList: {
            /** @description what was asked for */
            data: components["schemas"]["ReferentialValue"][];
        };
        ReferentialValueState: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description name for people */
            label: string;
            /** @description the code to send */
            model: string;
        };
        RefreshTokenRequest: {
            /** @description gets a new pair of tokens */
            refresh_token: string;
        };
        RefuseOfferRequest: {
            /** @description code of list 15 */
            refusal_reason?: string | null;
        };
        RelatedContact: {
            /** @description a remark for people */
            comment: string | null;
            /** @description id of a customer */
            customer_id: number | null;
            /** @description e-mail address */
            email: string | null;
            /** @description first name */
            firstname: string | null;
            /** @description family name */
            lastname: string | null;
            /** @description phone number */
            phone: string | null;
            /** @description what they are to each other */
            relation: string;
        };
        RelatedInput: {
            /** @description a remark for people */
            comment?: string | null;
            /** @description where they are a customer too */
            customer_id?: number | null;
            /** @description e-mail address */
            email?: string | null;
            /** @description first name */
            firstname?: string | null;
            /** @description family name */
            lastname?: string | null;
            /** @description phone number */
            phone?: string | null;
            /**
             * @description what they are to each other
             * @enum {string}
             */
            relation: "CONJOINT" | "INDIVISAIRE" | "PARENT" | "ENFANT" | "MANDATAIRE" | "TUTEUR" | "CURATEUR" | "GERANT" | "AUTRE";
        };
        Release: {
            /** @description what was added */
            added: string[];
            /** @description what was changed */
            changed: string[];
            /**
             * Format: date
             * @description day of the release
             */
            date: string;
            /** @description what was deprecated */
            deprecated: string[];
            /** @description what was fixed */
            fixed: string[];
            /** @description what was removed */
            removed: string[];
            /** @description what makes it more secure */
            security: string[];
            /** @description version of the contract */
            version: string;
        };
        ReplayHookRequest: {
            /** @description id of the event after which to begin */
            after_event_id?: number | null;
            /** @description first day, or when it begins */
            from?: string | null;
            /** @description only events without a delivery that is pending or has succeeded */
            missed_only?: boolean | null;
            /** @description last day, or when it ends */
            to?: string | null;
        } & (unknown | unknown);
        Replayed: {
            /**
             * Format: int64
             * @description how many deliveries were made
             */
            deliveries: number;
            /** @description the first event it looked at; null when there was none */
            first_event_id: number | null;
            /** @description the range goes on: replay after last_event_id */
            has_more: boolean;
            /** @description the last event it looked at; null when there was none */
            last_event_id: number | null;
        };
        ReplayedEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Replayed"];
        };
        ReportVisitRequest: {
            /** @description a remark for people */
            comment?: string | null;
            /** @description may be left out where one customer attends */
            customer_id?: number | null;
            /** @description original start; required where the event repeats */
            occurrence?: string | null;
            /**
             * @description what came of the visit
             * @enum {string}
             */
            outcome: "INTERESSE" | "CONTRE_VISITE" | "OFFRE" | "SANS_SUITE" | "REFLEXION";
            /** @description may be left out where the event is about one product */
            product_id?: number | null;
            /** @description how much the customer likes it, from 1 to 5 */
            rating?: number | null;
            /** @description code of list 15 */
            refusal_reason?: string | null;
            /** @description when a visit slip was signed, which then gets a number; not in the future */
            signed_at?: string | null;
        };
        Reported: {
            /**
             * Format: int64
             * @description of the report, within the event
             */
            id: number;
        };
        ReportedEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Reported"];
        };
        RequestRecord: {
            /** @description body of the answer to the same, in the same way */
            answered: string | null;
            /**
             * Format: int64
             * @description length of the answer's body as it was sent
             */
            bytes: number;
            /** @description X-Request-Id that was sent */
            client_request_id: string | null;
            /** @description that of the error */
            code: string | null;
            /** @description camelCase names that the request used */
            deprecated_fields: string[];
            /**
             * Format: double
             * @description how long it took, in milliseconds
             */
            duration_ms: number;
            /** @description HTTP method */
            method: string;
            /**
             * Format: int64
             * @description how many requests such as this one it stands for; above 1 while many were sent
             */
            one_in: number;
            /** @description x-operation of what was called; none when the path is no operation's */
            operation: string;
            /** @description path that was called */
            path: string | null;
            /** @description values that may be personal are replaced by their length */
            query: string | null;
            /**
             * Format: date-time
             * @description when the request came in
             */
            received_at: string;
            /** @description id of the request, quoted to support */
            request_id: string;
            /** @description body of a write or of a refused request, as JSON of which the end may be missing; values that may be personal are replaced by their length */
            sent: string | null;
            /**
             * Format: int64
             * @description where it stands
             */
            status: number;
        };
        RequestRecordEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["RequestRecord"];
        };
        RescheduleBookingRequest: {
            /**
             * Format: date-time
             * @description start of a slot
             */
            start_at: string;
        };
        RetractAgreementRequest: {
            /**
             * Format: int64
             * @description a buyer without a company
             */
            customer_id: number;
            /**
             * Format: date
             * @description when the letter was sent
             */
            date_sent: string;
        };
        ReviseRentRequest: {
            /** @description today where nothing is said; not in the future */
            asked_on?: string | null;
            /** @description such as 2025-T3; by default that of the reference, one year on for each anniversary since */
            quarter?: string | null;
        };
        Revised: {
            /**
             * Format: int64
             * @description of the revision, within the lease
             */
            id: number;
        };
        RevisedEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Revised"];
        };
        Revision: {
            /**
             * Format: date
             * @description day on which the revision was asked for
             */
            asked_on: string;
            /**
             * Format: double
             * @description rent before the revision
             */
            from_rent: number;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description quarter of the index, such as 2025-T3 */
            quarter: string;
            /**
             * Format: double
             * @description rent of each period, in the site's currency
             */
            rent: number;
        };
        RevokeTokenRequest: {
            /** @description an access or refresh token */
            token?: string;
        };
        Revoked: Record<string, never>;
        Room: {
            /** @description a remark about the room */
            commentaire: string | null;
            /** @description code of list 2 */
            exposition: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description 0 is the ground floor */
            niveau: number | null;
            /**
             * Format: int64
             * @description place in the order shown
             */
            position: number;
            /** @description code of list 4 */
            sol: string | null;
            /** @description m² */
            surface: number | null;
            /** @description code of list 1 */
            type: string;
            /** @description code of list 3 */
            vue: string | null;
        };
        RoomInput: {
            /** @description a remark about the room */
            commentaire?: string | null;
            /** @description code of list 2 */
            exposition?: string | null;
            /** @description update only */
            id?: number | null;
            /** @description 0 is the ground floor, negative below */
            niveau?: number | null;
            /** @description code of list 4 */
            sol?: string | null;
            /** @description m², at most 2 decimals */
            surface?: number | null;
            /** @description code of list 1; required for a new room */
            type?: string | null;
            /** @description code of list 3 */
            vue?: string | null;
        } & (unknown | unknown);
        SaleAgreement: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description customer who is the buyers' notary */
            buyer_notary_id: number | null;
            /** @description customers */
            buyers: number[];
            /** @description code of list 17 */
            cancellation_reason: string | null;
            /** @description a remark for people */
            comment: string | null;
            /** @description who gets which share of the fees */
            commissions: components["schemas"]["Commission"][];
            /** @description conditions that must come true */
            conditions: components["schemas"]["SaleCondition"][];
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description day of the deed */
            date_deed: string | null;
            /** @description day on which the deed is expected */
            date_deed_expected: string | null;
            /** @description day of signature */
            date_signature: string | null;
            /** @description what is pending, by date */
            deadlines: components["schemas"]["PendingDeadline"][];
            /** @description deposit, and who holds it */
            deposit: components["schemas"]["Deposit"] | null;
            /** @description VAT included */
            fees_amount: number | null;
            /** @description what the buyers owe of the fees that both pay */
            fees_buyer_amount: number | null;
            /** @description fees are owed once the deed is signed */
            fees_due_on: string | null;
            /** @description null without fees */
            fees_excl_vat: number | null;
            /** @description who pays the fees; one of `ACQUEREUR`, `VENDEUR`, `PARTAGE`; more may be added */
            fees_payer: string | null;
            /** @description null without fees */
            fees_vat: number | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description the mandate under which it was signed */
            mandate_number: string | null;
            /** @description null without fees */
            net_seller: number | null;
            /** @description by customer */
            notifications: components["schemas"]["Notification"][];
            /** @description that of the agency, -C and a number without gaps */
            number: string;
            /**
             * Format: double
             * @description fees included
             */
            price: number;
            /** @description the price without what the buyers owe of the fees; null without fees */
            price_excluding_fees: number | null;
            /** @description id of a product */
            product_id: number | null;
            /** @description buyers who are no professionals have the right of withdrawal */
            retraction_applies: boolean;
            /** @description the latest last day, once every buyer who may withdraw is notified */
            retraction_end: string | null;
            /** @description the offer it was made of; null without one */
            sale_offer_id: number | null;
            /** @description customer who is the sellers' notary */
            seller_notary_id: number | null;
            /** @description customers */
            sellers: number[];
            /** @description where it stands */
            status: string;
            /** @description which type it is */
            type: string;
            /** @description id of a user */
            user_id: number | null;
            /**
             * Format: double
             * @description percent
             */
            vat_rate: number;
            /** @description what should be mended; it prevents nothing */
            warnings: string[];
        };
        SaleAgreementEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["SaleAgreement"];
        };
        SaleAgreementPage: {
            /** @description what was asked for */
            data: components["schemas"]["SaleAgreement"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        SaleCondition: {
            /** @description of a loan */
            amount: number | null;
            /** @description last day for it */
            due_date: string | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description name for people */
            label: string | null;
            /** @description of a loan */
            months: number | null;
            /** @description a remark */
            note: string | null;
            /** @description it waits although its day has passed */
            overdue: boolean;
            /** @description of a loan, percent */
            rate_max: number | null;
            /** @description day on which it was settled */
            settled_on: string | null;
            /** @description where it stands; one of `EN_ATTENTE`, `LEVEE`, `RENONCEE`, `DEFAILLIE`; more may be added */
            status: string;
            /** @description which type it is; one of `PRET`, `URBANISME`, `PREEMPTION`, `VENTE_PREALABLE`, `AUTRE`; more may be added */
            type: string;
        };
        SaleConditionInput: {
            /** @description true removes the condition */
            _delete?: boolean | null;
            /** @description of a loan */
            amount?: number | null;
            /** @description last day for it */
            due_date?: string | null;
            /** @description of a condition that is changed */
            id?: number | null;
            /** @description name for people */
            label?: string | null;
            /** @description of a loan */
            months?: number | null;
            /** @description of a loan, percent */
            rate_max?: number | null;
            /** @description required for a new one */
            type?: ("PRET" | "URBANISME" | "PREEMPTION" | "VENTE_PREALABLE" | "AUTRE") | null;
        } & (unknown | unknown);
        SaleOffer: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description amount that both sides agreed on */
            agreed_amount: number | null;
            /**
             * Format: double
             * @description what the buyers would pay, fees included
             */
            amount: number;
            /** @description customers */
            buyers: number[];
            /** @description code of list 17 */
            cancellation_reason: string | null;
            /** @description a remark for people */
            comment: string | null;
            /** @description conditions that must come true */
            conditions: string[];
            /** @description amount of the last counter-offer */
            counter_amount: number | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: date
             * @description day of the offer
             */
            date_offer: string;
            /** @description when it ends by itself */
            expires_at: string | null;
            /** @description VAT included */
            fees_amount: number | null;
            /** @description what the buyers owe of the fees that both pay */
            fees_buyer_amount: number | null;
            /** @description null without fees */
            fees_excl_vat: number | null;
            /** @description who pays the fees; one of `ACQUEREUR`, `VENDEUR`, `PARTAGE`; more may be added */
            fees_payer: string | null;
            /** @description null without fees */
            fees_vat: number | null;
            /** @description how it is paid for */
            financing: components["schemas"]["OfferFinancing"] | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description what was done, the oldest first */
            negotiation: components["schemas"]["Negotiation"][];
            /** @description null without fees */
            net_seller: number | null;
            /** @description that of the agency, -O and a number without gaps */
            number: string;
            /** @description the price without what the buyers owe of the fees; null without fees */
            price_excluding_fees: number | null;
            /** @description id of a product */
            product_id: number | null;
            /** @description code of list 15 */
            refusal_reason: string | null;
            /** @description the latest agreement made from it */
            sale_agreement_id: number | null;
            /** @description id of a search request */
            search_id: number | null;
            /** @description customers */
            sellers: number[];
            /** @description where it stands */
            status: string;
            /** @description id of a user */
            user_id: number | null;
            /**
             * Format: double
             * @description percent
             */
            vat_rate: number;
        };
        SaleOfferEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["SaleOffer"];
        };
        SaleOfferPage: {
            /** @description what was asked for */
            data: components["schemas"]["SaleOffer"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        ScopeItem: {
            /** @description by what it is in scope; one of `owner`, `intercabinet`; more may be added */
            access: string;
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /**
             * Format: int64
             * @description id of the site
             */
            site_id: number;
        };
        SearchAgreementsRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description default 100; at most 2000 where the result is ids only, else 100 */
            count?: number | null;
            /** @description next_cursor of the previous page */
            cursor?: string | null;
            /** @description any party */
            customer_id?: number | null;
            /** @description included */
            date_from?: string | null;
            /** @description included */
            date_to?: string | null;
            /** @description modified on or after */
            last_modified?: string | null;
            /** @description id of a product */
            product_id?: number | null;
            /** @description the offer it was made of; null without one */
            sale_offer_id?: number | null;
            /** @description how many to leave out */
            skip?: number | null;
            /** @description ascending or descending */
            sort_order?: ("asc" | "desc") | null;
            /** @description date is the last modification */
            sort_type?: ("id" | "date" | "date_added" | "amount") | null;
            /** @description a status, or several */
            status?: (string[] | string) | null;
            /** @description a type, or several */
            type?: (string[] | string) | null;
            /** @description id of a user */
            user_id?: number | null;
        };
        SearchCustomersRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description default 100; at most 2000 where the result is ids only, else 100 */
            count?: number | null;
            /** @description next_cursor of the previous page */
            cursor?: string | null;
            /** @description any e-mail address of the customer, case aside */
            email?: string | null;
            /** @description whether it is archived */
            is_archived?: boolean | null;
            /** @description part of the name, the company, an e-mail address or a phone number */
            keyword?: string | null;
            /** @description modified on or after */
            last_modified?: string | null;
            /** @description any phone number of the customer, in any formatting */
            phone?: string | null;
            /** @description how many to leave out */
            skip?: number | null;
            /** @description ascending or descending */
            sort_order?: ("asc" | "desc") | null;
            /** @description what to sort by */
            sort_type?: ("id" | "name" | "date" | "date_added") | null;
            /** @description code of list 5 */
            type?: string | null;
            /** @description assigned agent */
            user_id?: number | null;
        };
        SearchEventsRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description default 100 */
            count?: number | null;
            /** @description next_cursor of the previous page, for the same from, to and expand */
            cursor?: string | null;
            /** @description id of a customer */
            customer_id?: number | null;
            /** @description one item per occurrence, by start_at and id, where nothing is said; false: one per event, by id */
            expand?: boolean | null;
            /** @description id it has in another system */
            external_id?: string | null;
            /**
             * Format: date-time
             * @description first day, or when it begins
             */
            from: string;
            /** @description modified on or after */
            last_modified?: string | null;
            /** @description id of a product */
            product_id?: number | null;
            /** @description any of these statuses */
            statuses?: (string[] | string) | null;
            /**
             * Format: date-time
             * @description after from, at most 366 days later
             */
            to: string;
            /** @description models of types */
            types?: (string[] | string) | null;
            /** @description any of whom attends */
            user_ids?: number[] | null;
        };
        SearchLeasesRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description default 100; at most 2000 where the result is ids only, else 100 */
            count?: number | null;
            /** @description next_cursor of the previous page */
            cursor?: string | null;
            /** @description any party */
            customer_id?: number | null;
            /** @description included */
            date_from?: string | null;
            /** @description included */
            date_to?: string | null;
            /** @description modified on or after */
            last_modified?: string | null;
            /** @description id of a product */
            product_id?: number | null;
            /** @description how many to leave out */
            skip?: number | null;
            /** @description ascending or descending */
            sort_order?: ("asc" | "desc") | null;
            /** @description date is the last modification */
            sort_type?: ("id" | "date" | "date_added" | "amount") | null;
            /** @description a status, or several */
            status?: (string[] | string) | null;
            /** @description a type, or several */
            type?: (string[] | string) | null;
            /** @description id of a user */
            user_id?: number | null;
        };
        SearchOffersRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description default 100; at most 2000 where the result is ids only, else 100 */
            count?: number | null;
            /** @description next_cursor of the previous page */
            cursor?: string | null;
            /** @description any party */
            customer_id?: number | null;
            /** @description included */
            date_from?: string | null;
            /** @description included */
            date_to?: string | null;
            /** @description modified on or after */
            last_modified?: string | null;
            /** @description id of a product */
            product_id?: number | null;
            /** @description how many to leave out */
            skip?: number | null;
            /** @description ascending or descending */
            sort_order?: ("asc" | "desc") | null;
            /** @description date is the last modification */
            sort_type?: ("id" | "date" | "date_added" | "amount") | null;
            /** @description a status, or several */
            status?: (string[] | string) | null;
            /** @description id of a user */
            user_id?: number | null;
        };
        SearchProductsRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description default 100; at most 2000 where the result is ids only, else 100 */
            count?: number | null;
            /** @description conditions on criteria, all of which must hold */
            criterias?: components["schemas"]["ConditionInput"][] | null;
            /** @description next_cursor of the previous page */
            cursor?: string | null;
            /** @description owner; not for credentials that only feed websites */
            customer_id?: number | null;
            /** @description whether there is a 360-degree visit */
            has_visit360?: boolean | null;
            /** @description part of the reference, of address and city or of the owner's name; a number also finds prices within 10 percent */
            keyword?: string | null;
            /** @description modified on or after */
            last_modified?: string | null;
            /** @description exact reference */
            model?: string | null;
            /** @description extension: positions in a circle */
            near?: components["schemas"]["NearInput"] | null;
            /** @description lots of this product; null: no lots */
            parent_id?: number | null;
            /** @description assigned agents */
            products_admin_id?: (number[] | string) | null;
            /** @description how many to leave out */
            skip?: number | null;
            /** @description ascending or descending */
            sort_order?: ("asc" | "desc") | null;
            /** @description what to sort by */
            sort_type?: ("id" | "prix" | "date" | "surface" | "date_added") | null;
            /** @description true: published only; false: unpublished only */
            status_web?: boolean | null;
            /** @description extension: positions in a box */
            within?: components["schemas"]["WithinInput"] | null;
        };
        SearchRequest: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description whether and how the customer is told of new matches */
            alerts: components["schemas"]["Alerts"];
            /** @description where the property should be, or should not */
            areas: components["schemas"]["Area"][];
            /** @description at least so many bedrooms */
            bedrooms_min: number | null;
            /** @description a remark for people */
            comment: string | null;
            /** @description criteria with their values */
            criteria: components["schemas"]["SearchedCriterion"][];
            /**
             * Format: int64
             * @description id of a customer
             */
            customer_id: number;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description how it is paid for */
            financing: components["schemas"]["Financing"];
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description qualities that matter to the customer */
            key_points: components["schemas"]["KeyPoint"][];
            /** @description at least so much land, in m² */
            land_min: number | null;
            /** @description latest last_modified of the products that match; null without any, and in lists */
            last_match_at: string | null;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description how many active products match; null in lists */
            matches_count: number | null;
            /** @description name for people */
            name: string | null;
            /** @description where it came from */
            origin: string | null;
            /** @description at most so much, in the site's currency */
            price_max: number | null;
            /** @description at least so much, in the site's currency */
            price_min: number | null;
            /** @description codes of TypeBien; none is any */
            property_types: string[];
            /** @description at most so many rooms */
            rooms_max: number | null;
            /** @description at least so many rooms */
            rooms_min: number | null;
            /** @description where it stands */
            status: string;
            /** @description at most so much living area, in m² */
            surface_max: number | null;
            /** @description at least so much living area, in m² */
            surface_min: number | null;
            /** @description code of TypeTransaction */
            transaction_type: string;
            /** @description how soon, a code of list 14 */
            urgency: string | null;
            /** @description id of a user */
            user_id: number | null;
        };
        SearchRequestEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["SearchRequest"];
        };
        SearchRequestPage: {
            /** @description what was asked for */
            data: components["schemas"]["SearchRequest"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        SearchResult: {
            /** @description what was asked for */
            data: components["schemas"]["ProductSummary"][];
            /** @description true when there is another page */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: string | null;
        };
        SearchedCriterion: {
            /** @description number by which it is addressed */
            id: string;
            /** @description how it compares */
            operator: string;
            /** @description what it is held against, by the criterion's type */
            value: string | number | string[];
        };
        Settings: {
            /** @description country, as an ISO 3166 code or a code of the site */
            country: string;
            /** @description ISO 4217 code of the currency */
            currency: string;
            /** @description Statut of a product created without one */
            default_status: string;
            /** @description IANA name of the time zone */
            timezone: string;
        };
        SignAgreementRequest: {
            /**
             * Format: date
             * @description not in the future
             */
            date_signature: string;
        };
        SignLeaseRequest: {
            /**
             * Format: date
             * @description not in the future
             */
            date_signature: string;
        };
        Site: {
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description ids of the agencies a token of the site reaches */
            manufacturers_list: number[];
            /** @description name for people */
            name: string;
            /** @description settings */
            settings: components["schemas"]["Settings"];
        };
        SiteEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["Site"];
        };
        Slot: {
            /**
             * Format: date-time
             * @description when it ends
             */
            end_at: string;
            /**
             * Format: date-time
             * @description when it begins
             */
            start_at: string;
            /** @description ids of users */
            user_ids: number[];
        };
        Statistic: {
            /**
             * Format: int64
             * @description customers with whom there was an action
             */
            contacts: number;
            /**
             * Format: int64
             * @description not counted yet: 0
             */
            favorites: number;
            /**
             * Format: int64
             * @description open search requests in scope that the product matches
             */
            matching_searches: number;
            /** @description when the product was added */
            since: string | null;
            /**
             * Format: int64
             * @description not counted yet: 0
             */
            views: number;
            /**
             * Format: int64
             * @description VISITE actions up to now
             */
            visits_done: number;
            /**
             * Format: int64
             * @description VISITE actions from now on
             */
            visits_planned: number;
        };
        StringList: {
            /** @description what was asked for */
            data: string[];
        };
        SyncError: {
            /** @description what happened, as RESOURCE_ACTION */
            event_type: string;
            /**
             * Format: int64
             * @description id of the webhook
             */
            hook_id: number;
            /**
             * Format: date-time
             * @description when it happened
             */
            occurred_at: string;
            /** @description why */
            reason: string;
        };
        Theme: {
            /**
             * Format: int64
             * @description of the criterion
             */
            id: number;
            /** @description name for people */
            label: string;
        };
        TokenResponse: {
            /** @description goes into Authorization, after Bearer */
            access_token: string;
            /**
             * Format: uri
             * @description {base_url} is this followed by /api/v2/site
             */
            domain: string;
            /**
             * Format: int64
             * @description seconds
             */
            expires_in: number;
            /** @description gets a new pair of tokens */
            refresh_token: string;
            /**
             * @description always Bearer
             * @enum {string}
             */
            token_type: "Bearer";
        };
        UTM: {
            /** @description name of the campaign */
            campaign: string | null;
            /** @description kind of link, such as email or cpc */
            medium: string | null;
            /** @description where it comes from */
            source: string | null;
        };
        UpdateAgreementRequest: {
            /** @description the offer's or the product's, where a new one has none */
            agency_id?: number | null;
            /** @description a customer of type NOTAIRE; that of the first buyer, where a new one has none */
            buyer_notary_id?: number | null;
            /** @description customers, 1 to 10, each once; required for a new one without an offer */
            buyers?: number[] | null;
            /** @description at most 10,000 characters */
            comment?: string | null;
            /** @description at most 20; replaces the list */
            commissions?: components["schemas"]["CommissionInput"][] | null;
            /** @description at most 30; those not named stay */
            conditions?: components["schemas"]["SaleConditionInput"][] | null;
            /** @description day on which the deed is expected */
            date_deed_expected?: string | null;
            /** @description deposit, and who holds it */
            deposit?: components["schemas"]["DepositInput"] | null;
            /** @description VAT included; comes with fees_payer */
            fees_amount?: number | null;
            /** @description what buyers owe; with PARTAGE, and only then */
            fees_buyer_amount?: number | null;
            /** @description who pays the fees */
            fees_payer?: ("ACQUEREUR" | "VENDEUR" | "PARTAGE") | null;
            /** @description fees included; required for a new one without an offer */
            price?: number | null;
            /** @description required for a new one without an offer; cannot change */
            product_id?: number | null;
            /** @description for a new one: whether it is about a dwelling, and a buyer has no company */
            retraction_applies?: boolean | null;
            /** @description an accepted offer; cannot change */
            sale_offer_id?: number | null;
            /** @description a customer of type NOTAIRE; that of the first seller, where a new one has none */
            seller_notary_id?: number | null;
            /** @description customers, at most 10, each once */
            sellers?: number[] | null;
            /** @description required for a new one */
            type?: ("COMPROMIS" | "PROMESSE" | "RESERVATION") | null;
            /** @description the offer's or the product's, where a new one has none */
            user_id?: number | null;
            /** @description percent; by default that of where the property is */
            vat_rate?: number | null;
        };
        UpdateCustomerRequest: {
            /** @description as emails */
            addresses?: components["schemas"]["AddressInput"][] | null;
            /** @description one of the token's agencies; required for a new customer when there are several */
            agency_id?: number | null;
            /** @description date of birth */
            birth_date?: string | null;
            /** @description name at birth */
            birth_name?: string | null;
            /** @description place of birth */
            birth_place?: string | null;
            /** @description code of list 6 */
            civility?: string | null;
            /** @description access to the customers' area of the site */
            client_area?: components["schemas"]["ClientAreaInput"] | null;
            /** @description color code */
            color?: number | null;
            /** @description a remark for people */
            comment?: string | null;
            /** @description name of the company */
            company?: string | null;
            /** @description what the customer agreed to, and when */
            consent?: components["schemas"]["ConsentInput"] | null;
            /** @description primary e-mail address */
            email?: string | null;
            /** @description entries with an id change, others are added, those not named stay */
            emails?: components["schemas"]["EmailInput"][] | null;
            /** @description whether the person is married */
            family_status?: ("CELIBATAIRE" | "MARIE" | "PACSE" | "DIVORCE" | "VEUF") | null;
            /** @description first name */
            firstname?: string | null;
            /** @description id of a gender of GET /users/genders */
            gender_id?: number | null;
            /** @description whether it is archived */
            is_archived?: boolean | null;
            /** @description ISO 639-1 */
            language?: string | null;
            /** @description a customer has a lastname, a company, an email or a phone */
            lastname?: string | null;
            /** @description legal form of the company */
            legal_form?: string | null;
            /** @description matrimonial property regime */
            matrimonial_regime?: string | null;
            /** @description nationality */
            nationality?: string | null;
            /** @description day of the next contact */
            next_contact?: string | null;
            /** @description the customer's notary */
            notary?: components["schemas"]["NotaryInput"] | null;
            /** @description code of list 10 */
            origin?: string | null;
            /** @description where it came from, in words */
            origin_detail?: string | null;
            /** @description primary phone number, in any formatting */
            phone?: string | null;
            /** @description as emails */
            phone_numbers?: components["schemas"]["PhoneInput"][] | null;
            /** @description profession */
            profession?: string | null;
            /** @description replaces the list */
            related_contacts?: components["schemas"]["RelatedInput"][] | null;
            /** @description 14 digits */
            siret?: string | null;
            /** @description code of list 5; required for a new customer */
            type?: string | null;
            /** @description assigned agent */
            user_id?: number | null;
            /** @description VAT number */
            vat_number?: string | null;
        };
        UpdateEventRequest: {
            /** @description that of the first user, where a new one has none */
            agency_id?: number | null;
            /** @description true: the whole day, without times */
            all_day?: boolean | null;
            /** @description replaces the list; at least one is a USER */
            attendees?: components["schemas"]["AttendeeInput"][] | null;
            /** @description minutes that are kept free after; those of the type, where a new one has none */
            buffer_after?: number | null;
            /** @description minutes that are kept free before; those of the type, where a new one has none */
            buffer_before?: number | null;
            /** @description instead of attendees: the customers who attend */
            customer_ids?: number[] | null;
            /** @description text about it */
            description?: string | null;
            /** @description required unless all_day; after start_at, at most 31 days later */
            end_at?: string | null;
            /** @description required with all_day; included, at most 366 days */
            end_date?: string | null;
            /** @description original starts that do not take place; in timezone where they have no offset */
            exdates?: string[] | null;
            /** @description the sender's own id */
            external_id?: string | null;
            /** @description that of the type, where a new one has none */
            is_busy?: boolean | null;
            /** @description a remote visit for everybody, at meeting_url */
            is_live_visit?: boolean | null;
            /** @description with longitude */
            latitude?: number | null;
            /** @description where it takes place */
            location?: string | null;
            /** @description with latitude */
            longitude?: number | null;
            /** @description http or https */
            meeting_url?: string | null;
            /** @description REFUSE: a busy event that overlaps busy time of its users is 409 slot_taken; ALLOW, where nothing is said: X-Conflicts names the other events */
            on_conflict?: ("ALLOW" | "REFUSE") | null;
            /** @description ids of products */
            product_ids?: number[] | null;
            /** @description minutes before the start, 0 to 40320 */
            reminders?: number[] | null;
            /** @description value of RRULE (RFC 5545), such as FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6; null for none */
            rrule?: string | null;
            /** @description a search request of one of the customers */
            search_id?: number | null;
            /** @description required unless all_day; in timezone where it has no offset */
            start_at?: string | null;
            /** @description required with all_day, and only then */
            start_date?: string | null;
            /** @description PREVU where a new one says nothing; ANNULE is final */
            status?: ("PREVU" | "CONFIRME" | "REALISE" | "ANNULE" | "ABSENT") | null;
            /** @description IANA name; that of the agency, where a new one has none */
            timezone?: string | null;
            /** @description required for a new one */
            title?: string | null;
            /** @description model of an active type; required for a new one */
            type?: string | null;
            /** @description instead of attendees: the users who attend */
            user_ids?: number[] | null;
            /** @description PRIVE: other clients see only that the time is taken */
            visibility?: ("PUBLIC" | "PRIVE") | null;
        };
        UpdateFollowUpRequest: {
            /** @description a remark for people */
            comment?: string | null;
            /** @description day of the next contact */
            next_contact?: string | null;
            /** @description how much the customer likes it, from 1 to 5 */
            rating?: number | null;
            /** @description code of list 15 */
            refusal_reason?: string | null;
            /** @description code of list 9; PROPOSE for a new one without */
            status?: string | null;
            /** @description id of a user */
            user_id?: number | null;
        };
        UpdateHookAuthRequest: {
            /** @description oauth2_client_credentials */
            client_id?: string | null;
            /** @description oauth2_client_credentials; write-only */
            client_secret?: string | null;
            /** @description api_key: name of the header */
            header?: string | null;
            /** @description name for people */
            name?: string | null;
            /** @description basic; write-only */
            password?: string | null;
            /** @description oauth2_client_credentials */
            scope?: string | null;
            /** @description bearer; write-only */
            token?: string | null;
            /** @description oauth2_client_credentials */
            token_url?: string | null;
            /** @description which type it is */
            type?: ("basic" | "bearer" | "api_key" | "oauth2_client_credentials" | "ed25519") | null;
            /** @description basic */
            username?: string | null;
            /** @description api_key; write-only */
            value?: string | null;
        };
        UpdateHookRequest: {
            /** @description one of GET /hooks/auths */
            auth_id?: number | null;
            /** @description for how long updates of one resource are gathered into one request; 0 sends each */
            coalesce_seconds?: number | null;
            /** @description format of the delivery's body */
            format?: ("default" | "standard" | "cloudevents" | "reso") | null;
            /** @description sent with every delivery */
            headers?: {
                [key: string]: string;
            } | null;
            /** @description event types, as GET /hooks/origines lists them */
            origines?: string[] | null;
            /** @description leave out events this credential causes */
            skip_own?: boolean | null;
            /** @description suspended stops deliveries until the next update */
            status?: ("active" | "suspended") | null;
            /** @description address */
            url?: string | null;
        };
        UpdateLeadRequest: {
            /** @description where it stands */
            status?: ("NOUVEAU" | "ATTRIBUE" | "CONTACTE" | "QUALIFIE" | "TRANSFORME" | "PERDU") | null;
            /** @description assigned agent; makes a NOUVEAU lead ATTRIBUE, and null an ATTRIBUE one NOUVEAU, unless status is given */
            user_id?: number | null;
        };
        UpdateLeaseRequest: {
            /** @description the product's, where a new one has none */
            agency_id?: number | null;
            /** @description comes with charges_mode */
            charges?: number | null;
            /** @description how charges are paid */
            charges_mode?: ("PROVISION" | "FORFAIT") | null;
            /** @description at most 10,000 characters */
            comment?: string | null;
            /** @description what rent control says of the lease */
            control?: components["schemas"]["ControlInput"] | null;
            /** @description for types without a duration */
            date_end?: string | null;
            /** @description required for a new one */
            date_start?: string | null;
            /** @description deposit, and who holds it */
            deposit?: number | null;
            /** @description of the first term, for types that have a duration */
            duration_months?: number | null;
            /** @description day of the inventory at entry */
            entry_inventory?: string | null;
            /** @description day of the inventory at exit */
            exit_inventory?: string | null;
            /** @description the landlord is a company of relatives, treated as a natural person */
            family_company?: boolean | null;
            /** @description the landlord's fees for the inventory */
            fees_inventory_landlord?: number | null;
            /** @description the tenant's fees for the inventory */
            fees_inventory_tenant?: number | null;
            /** @description fees the landlord pays, in the site's currency */
            fees_landlord?: number | null;
            /** @description fees the tenant pays, in the site's currency */
            fees_tenant?: number | null;
            /** @description customers, at most 10, each once */
            guarantors?: number[] | null;
            /** @description how the rent follows an index */
            indexation?: components["schemas"]["IndexationInput"] | null;
            /** @description customers, 1 to 10, each once; the product's owner, where a new one has none */
            landlords?: number[] | null;
            /** @description required for a new one; cannot change */
            product_id?: number | null;
            /** @description by the month, without charges and supplement; for SAISONNIER for the stay; required for a new one */
            rent?: number | null;
            /** @description supplement above the reference rent */
            rent_supplement?: number | null;
            /** @description which part is let */
            room?: string | null;
            /** @description why an unfurnished dwelling is let for less than three years */
            short_reason?: string | null;
            /** @description comes with rent_supplement */
            supplement_reason?: string | null;
            /** @description m²; the product's, where a new one has none */
            surface?: number | null;
            /** @description customers, 1 to 10, each once; required for a new one */
            tenants?: number[] | null;
            /** @description required for a new one */
            type?: ("VIDE" | "MEUBLE" | "ETUDIANT" | "MOBILITE" | "SAISONNIER" | "PROFESSIONNEL" | "COMMERCIAL" | "DEROGATOIRE" | "PARKING" | "CODE_CIVIL") | null;
            /** @description the product's, where a new one has none */
            user_id?: number | null;
            /** @description percent; by default that of where the property is */
            vat_rate?: number | null;
            /** @description required with fees of tenants */
            zone?: ("TRES_TENDUE" | "TENDUE" | "AUTRE") | null;
        };
        UpdateOccurrenceRequest: {
            /** @description text about it */
            description?: string | null;
            /** @description when it ends */
            end_at?: string | null;
            /** @description where it takes place */
            location?: string | null;
            /** @description http or https */
            meeting_url?: string | null;
            /** @description ids of products */
            product_ids?: number[] | null;
            /** @description when it begins */
            start_at?: string | null;
            /** @description where it stands */
            status?: ("PREVU" | "CONFIRME" | "REALISE" | "ANNULE" | "ABSENT") | null;
            /** @description title */
            title?: string | null;
        };
        UpdateOfferRequest: {
            /** @description the product's, where a new one has none */
            agency_id?: number | null;
            /** @description what the buyers would pay, fees included; required for a new one */
            amount?: number | null;
            /** @description customers, 1 to 10, each once; required for a new one */
            buyers?: number[] | null;
            /** @description at most 10,000 characters */
            comment?: string | null;
            /** @description at most 20, each of at most 1,000 characters; replaces the list */
            conditions?: string[] | null;
            /** @description today for a new one; not in the future */
            date_offer?: string | null;
            /** @description a day alone is its end */
            expires_at?: string | null;
            /** @description VAT included; comes with fees_payer */
            fees_amount?: number | null;
            /** @description what buyers owe; with PARTAGE, and only then */
            fees_buyer_amount?: number | null;
            /** @description who pays the fees */
            fees_payer?: ("ACQUEREUR" | "VENDEUR" | "PARTAGE") | null;
            /** @description how it is paid for */
            financing?: components["schemas"]["BuyersFinancing"] | null;
            /** @description required for a new one; cannot change */
            product_id?: number | null;
            /** @description a search request of one of the buyers */
            search_id?: number | null;
            /** @description customers, at most 10, each once; the product's owner, where a new one has none */
            sellers?: number[] | null;
            /** @description the product's, where a new one has none */
            user_id?: number | null;
            /** @description percent; by default that of where the property is */
            vat_rate?: number | null;
        };
        UpdatePermanenceRequest: {
            /** @description one of the token's agencies; required for a new one */
            agency_id?: number | null;
            /** @description false: nobody can book the user while on duty; true for a new one */
            bookable?: boolean | null;
            /** @description a remark for people */
            comment?: string | null;
            /** @description required for a new one; after start_at, at most 24 hours later */
            end_at?: string | null;
            /** @description starts that do not take place */
            exdates?: string[] | null;
            /** @description value of RRULE (RFC 5545); null for none */
            rrule?: string | null;
            /** @description required for a new one; in timezone where it has no offset */
            start_at?: string | null;
            /** @description IANA name; that of the agency, where a new one has none */
            timezone?: string | null;
            /** @description required for a new one */
            type?: ("ACCUEIL" | "TELEPHONE" | "WEB" | "ASTREINTE") | null;
            /** @description an active user; required for a new one */
            user_id?: number | null;
        };
        UpdatePictureRequest: {
            /** @description name for people */
            label?: string | null;
            /** @description place among all pictures of the product, from 1; the first public picture is the cover */
            position?: number | null;
            /** @description who may see it */
            visibility?: ("public" | "private") | null;
        };
        UpdateProductRequest: {
            /** @description one of the token's agencies */
            agency_id?: number | null;
            /** @description color code */
            color?: number | null;
            /** @description criteria with their values */
            criteria?: components["schemas"]["CriterionInput"][] | null;
            /** @description owner */
            customer_id?: number | null;
            /** @description one per language; other languages stay */
            descriptions?: components["schemas"]["DescriptionInput"][] | null;
            /** @description whether other agencies of the site may offer it */
            intercabinet?: boolean | null;
            /** @description reference; generated when a new product has none */
            model?: string | null;
            /** @description day of the next contact */
            next_contact?: string | null;
            /** @description makes the product a lot of another */
            parent_id?: number | null;
            /**
             * Format: int64
             * @description equal to the id in the path
             */
            product_id: number;
            /** @description rooms of the property */
            rooms?: components["schemas"]["RoomInput"][] | null;
            /** @description whether the owner sees statistics */
            seller_statistics?: boolean | null;
            /** @description assigned agent */
            user_id?: number | null;
            /** @description whether it is published on the web */
            web_status?: boolean | null;
        };
        UpdateSearchRequestRequest: {
            /** @description the customer's, where a new one has none */
            agency_id?: number | null;
            /** @description whether and how the customer is told of new matches */
            alerts?: components["schemas"]["AlertsInput"] | null;
            /** @description replaces the list */
            areas?: components["schemas"]["AreaInput"][] | null;
            /** @description at least so many bedrooms */
            bedrooms_min?: number | null;
            /** @description a remark for people */
            comment?: string | null;
            /** @description as in a search of products; replaces the list */
            criteria?: components["schemas"]["ConditionInput"][] | null;
            /** @description how it is paid for */
            financing?: components["schemas"]["FinancingInput"] | null;
            /** @description true for a new one */
            is_active?: boolean | null;
            /** @description replaces the list */
            key_points?: components["schemas"]["KeyPointInput"][] | null;
            /** @description at least so much land, in m² */
            land_min?: number | null;
            /** @description name for people */
            name?: string | null;
            /** @description code of list 10 */
            origin?: string | null;
            /** @description at most so much, in the site's currency */
            price_max?: number | null;
            /** @description this and the seven that follow are short for criteria */
            price_min?: number | null;
            /** @description codes of TypeBien; none is any */
            property_types?: string[] | null;
            /** @description at most so many rooms */
            rooms_max?: number | null;
            /** @description at least so many rooms */
            rooms_min?: number | null;
            /** @description where it stands */
            status?: ("ACTIVE" | "EN_PAUSE" | "ABOUTIE" | "ABANDONNEE") | null;
            /** @description at most so much living area, in m² */
            surface_max?: number | null;
            /** @description at least so much living area, in m² */
            surface_min?: number | null;
            /** @description code of TypeTransaction; required for a new one */
            transaction_type?: string | null;
            /** @description code of list 14 */
            urgency?: string | null;
            /** @description the customer's, where a new one has none */
            user_id?: number | null;
        };
        User: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description agencies the user works for */
            agency_ids: number[];
            /** @description text about the user, for websites */
            biography: string | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description e-mail address */
            email: string | null;
            /** @description first name */
            firstname: string;
            /** @description id of a gender of GET /users/genders */
            gender_id: number | null;
            /** @description id of the user's group */
            group_id: number | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description whether it is in use */
            is_active: boolean;
            /** @description what the user does */
            job_title: string | null;
            /** @description ISO 639-1 codes of languages spoken */
            languages: string[];
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description family name */
            lastname: string;
            /** @description mobile phone number */
            mobile: string | null;
            /** @description phone number */
            phone: string | null;
            /** @description address of the portrait */
            photo_url: string | null;
            /** @description professional card */
            professional_card: string | null;
            /** @description entry in the register of agents */
            rsac: string | null;
            /** @description SIRET, 14 digits */
            siret: string | null;
            /** @description how the user works for the agency; one of `SALARIE`, `AGENT_COMMERCIAL`, `DIRIGEANT`; more may be added */
            status_kind: string | null;
            /** @description id of a type of GET /users/types */
            type_id: number | null;
            /** @description whether websites show the user */
            web_visible: boolean;
            /** @description where the user works */
            zone: string | null;
        };
        UserBusy: {
            /** @description times at which the user is busy */
            busy: components["schemas"]["BusyPeriod"][];
            /**
             * Format: int64
             * @description id of a user
             */
            user_id: number;
        };
        UserEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["User"];
        };
        UserGroup: {
            /** @description null: of the whole site */
            agency_id: number | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description name for people */
            name: string;
            /** @description always empty: permissions belong to credentials */
            permissions: string[];
            /**
             * Format: int64
             * @description how many users there are
             */
            users_count: number;
        };
        UserGroupList: {
            /** @description what was asked for */
            data: components["schemas"]["UserGroup"][];
        };
        UserPage: {
            /** @description what was asked for */
            data: components["schemas"]["User"][];
            /** @description addresses of the pages around this one */
            links: components["schemas"]["CursorPaginationLinks"];
            /** @description where this page stands */
            meta: components["schemas"]["CursorPaginationMeta"];
        };
        UserSummary: {
            /**
             * Format: int64
             * @description id of an agency
             */
            agency_id: number;
            /** @description e-mail address */
            email: string | null;
            /** @description first name */
            firstname: string;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description family name */
            lastname: string;
            /** @description phone number */
            phone: string | null;
            /** @description address of the portrait */
            photo_url: string | null;
        };
        VisitReport: {
            /** @description a remark for people */
            comment: string | null;
            /** @description id of a customer */
            customer_id: number | null;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /**
             * Format: int64
             * @description within the event
             */
            id: number;
            /** @description original start; null where the event does not repeat */
            occurrence: string | null;
            /** @description what came of the visit; one of `INTERESSE`, `CONTRE_VISITE`, `OFFRE`, `SANS_SUITE`, `REFLEXION`; more may be added */
            outcome: string;
            /** @description id of a product */
            product_id: number | null;
            /** @description how much the customer likes it, from 1 to 5 */
            rating: number | null;
            /** @description code of list 15 */
            refusal_reason: string | null;
            /** @description when it was signed */
            signed_at: string | null;
            /** @description of the visit slip that was signed: that of the agency, -V and a number without gaps */
            slip_number: string | null;
        };
        VisitWish: {
            /** @description the day, YYYY-MM-DD */
            date: string | null;
            /** @description part of the day */
            slot: string | null;
        };
        VisitWishInput: {
            /** @description the day, YYYY-MM-DD */
            date?: string | null;
            /** @description part of the day */
            slot?: string | null;
        };
        WebhookResponse: {
            /** @description authentication configuration of the deliveries */
            auth_id: number | null;
            /**
             * Format: int64
             * @description how long updates of one resource are gathered into one delivery
             */
            coalesce_seconds: number;
            /** @description client id */
            created_by: string;
            /**
             * Format: date-time
             * @description when it was created
             */
            date_added: string;
            /** @description format of the delivery's body */
            format: string | null;
            /** @description further headers of each delivery; their values are not shown */
            headers: {
                [key: string]: string;
            } | null;
            /**
             * Format: int64
             * @description number by which it is addressed
             */
            id: number;
            /** @description when a delivery last failed; null when none did */
            last_failure_at: string | null;
            /**
             * Format: date-time
             * @description when it was last changed
             */
            last_modified: string;
            /** @description when a delivery last succeeded; null when none did */
            last_success_at: string | null;
            /** @description a replay after this event, with missed_only, sends what a suspension kept back; null when nothing is missing */
            missed_after_event_id: number | null;
            /** @description event types that are delivered */
            origines: string[];
            /** @description true: not what the same credential did */
            skip_own: boolean;
            /** @description where it stands; one of `active`, `suspended`; more may be added */
            status: string;
            /** @description when it was suspended; null when it is not */
            suspended_at: string | null;
            /** @description why it was suspended; null when it is not */
            suspended_reason: string | null;
            /** @description address */
            url: string;
        };
        WebhookResponseEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["WebhookResponse"];
        };
        WeekdayInput: {
            /** @description ascending, none overlaps another */
            periods?: components["schemas"]["PeriodInput"][] | null;
            /** @description of the cycle; default 1 */
            week?: number | null;
            /**
             * Format: int64
             * @description Monday is 1
             */
            weekday: number;
        };
        WithinInput: {
            /**
             * Format: double
             * @description eastern border, in degrees
             */
            east: number;
            /**
             * Format: double
             * @description northern border, in degrees
             */
            north: number;
            /**
             * Format: double
             * @description southern border, in degrees
             */
            south: number;
            /**
             * Format: double
             * @description above east when the box crosses the antimeridian
             */
            west: number;
        };
        WorkDay: {
            /** @description times of the day */
            periods: components["schemas"]["WorkPeriod"][];
            /**
             * Format: int64
             * @description week of the cycle, from 1
             */
            week: number;
            /**
             * Format: int64
             * @description day of the week, from 1, Monday, to 7
             */
            weekday: number;
        };
        WorkException: {
            /**
             * Format: date
             * @description first day, or when it begins
             */
            from: string;
            /** @description times of the day */
            periods: components["schemas"]["WorkPeriod"][];
            /** @description why; one of `CONGE`, `MALADIE`, `FORMATION`, `AUTRE`; more may be added */
            reason: string | null;
            /**
             * Format: date
             * @description last day, or when it ends
             */
            to: string;
        };
        WorkPattern: {
            /**
             * Format: int64
             * @description after how many weeks the pattern begins again
             */
            cycle_weeks: number;
            /** @description days of the week, with their times */
            days: components["schemas"]["WorkDay"][];
            /** @description first day it holds */
            valid_from: string | null;
            /** @description last day it holds; null without end */
            valid_to: string | null;
        };
        WorkPeriod: {
            /** @description when it ends, HH:MM */
            end: string;
            /** @description when it begins, HH:MM */
            start: string;
        };
        WorkingTime: {
            /** @description true: visitors can book these times online */
            bookable: boolean;
            /** @description days that differ from the patterns */
            exceptions: components["schemas"]["WorkException"][];
            /** @description patterns of the week, and when each holds */
            patterns: components["schemas"]["WorkPattern"][];
            /**
             * Format: int64
             * @description id of a user
             */
            user_id: number;
            /** @description whether the user works on public holidays */
            works_holidays: boolean;
        };
        WorkingTimeEnvelope: {
            /** @description what was asked for */
            data: components["schemas"]["WorkingTime"];
        };
        WorkingTimes: {
            /** @description what was asked for */
            data: components["schemas"]["WorkingTime"][];
        };
    };
    responses: never;
    parameters: {
        /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
        "Idempotency-Key": string;
        /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
        "If-Match": string;
        /** @description ETags you have: 304 when the answer would show one of them */
        "If-None-Match": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listActionTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionTypeList"];
                };
            };
        };
    };
    listAgencies: {
        parameters: {
            query?: {
                /** @description default 50 */
                per_page?: number;
                /** @description meta.next_cursor of the previous page */
                cursor?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyPage"];
                };
            };
        };
    };
    getAgency: {
        parameters: {
            query?: {
                /** @description the simplified form for documents */
                format?: "tag_document";
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of an agency in scope */
                agencyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencyDetailEnvelope"];
                };
            };
        };
    };
    listAvailabilities: {
        parameters: {
            query: {
                /** @description ids of active users, separated by commas, at most 50; or else agency_id */
                user_ids?: string;
                /** @description all its active users */
                agency_id?: number;
                /** @description first day, or when it begins */
                from: string;
                /** @description after from, at most 62 days later */
                to: string;
                /** @description model of a type, which gives duration and buffers */
                type?: string;
                /** @description default that of the type, or 60 */
                duration?: number;
                /** @description how far starts are apart; default 30 */
                step?: number;
                /** @description minutes to keep free before each */
                buffer_before?: number;
                /** @description minutes to keep free after each */
                buffer_after?: number;
                /** @description how far ahead a slot begins, at least */
                notice?: number;
                /** @description on how many days after today a slot may begin */
                horizon?: number;
                /** @description all: when all users are free at once */
                mode?: "any" | "all";
                /** @description which form of the answer */
                view?: "slots" | "ranges";
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Availabilities"];
                };
            };
        };
    };
    createCalendarEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEventRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEventEnvelope"];
                };
            };
        };
    };
    searchCalendarEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchEventsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundEvents"];
                };
            };
        };
    };
    getCalendarEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarEventEnvelope"];
                };
            };
        };
    };
    deleteCalendarEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCalendarEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateEventRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    answerCalendarEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerEventRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listEventHistory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordHistory"];
                };
            };
        };
    };
    listOccurrences: {
        parameters: {
            query: {
                /** @description first day, or when it begins */
                from: string;
                /** @description after from, at most 20 years later */
                to: string;
                /** @description default 100 */
                count?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Occurrences"];
                };
            };
        };
    };
    deleteOccurrence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
                /** @description original start in UTC, such as 20261025T080000Z; 20261025 of whole days */
                start: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateOccurrence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
                /** @description original start in UTC, such as 20261025T080000Z; 20261025 of whole days */
                start: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOccurrenceRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    reportVisit: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a calendar event */
                eventId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportVisitRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedEnvelope"];
                };
            };
        };
    };
    getExternalBusy: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a user */
                userId: number;
                /** @description 1 to 40 of the characters a-z, 0-9 and - */
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalBusyEnvelope"];
                };
            };
        };
    };
    putExternalBusy: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a user */
                userId: number;
                /** @description 1 to 40 of the characters a-z, 0-9 and - */
                source: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutImportedRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalBusyEnvelope"];
                };
            };
        };
    };
    deleteExternalBusy: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a user */
                userId: number;
                /** @description 1 to 40 of the characters a-z, 0-9 and - */
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createCalendarFeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a user */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateFeedRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedFeedEnvelope"];
                };
            };
        };
    };
    deleteCalendarFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of a user */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listFreeBusy: {
        parameters: {
            query: {
                /** @description ids of users, separated by commas, at most 50 */
                user_ids: string;
                /** @description first day, or when it begins */
                from: string;
                /** @description after from, at most 62 days later */
                to: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreeBusy"];
                };
            };
        };
    };
    listOnDuty: {
        parameters: {
            query: {
                /** @description one of the token's agencies */
                agency_id: number;
                /** @description which type it is */
                type?: "ACCUEIL" | "TELEPHONE" | "WEB" | "ASTREINTE";
                /** @description now where nothing is said */
                at?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnDuty"];
                };
            };
        };
    };
    listPermanences: {
        parameters: {
            query: {
                /** @description first day, or when it begins */
                from: string;
                /** @description after from, at most 366 days later */
                to: string;
                /** @description one of the token's agencies */
                agency_id?: number;
                /** @description id of a user */
                user_id?: number;
                /** @description which type it is */
                type?: "ACCUEIL" | "TELEPHONE" | "WEB" | "ASTREINTE";
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Permanences"];
                };
            };
        };
    };
    createPermanence: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePermanenceRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    getPermanence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a duty */
                permanenceId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermanenceEnvelope"];
                };
            };
        };
    };
    deletePermanence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a duty */
                permanenceId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updatePermanence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a duty */
                permanenceId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePermanenceRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listPermanenceHistory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a duty */
                permanenceId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordHistory"];
                };
            };
        };
    };
    listAgendaSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllAgencySettings"];
                };
            };
        };
    };
    getAgendaSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of an agency in scope */
                agencyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencySettingsEnvelope"];
                };
            };
        };
    };
    putAgendaSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of an agency in scope */
                agencyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSettingsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgencySettingsEnvelope"];
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppointmentTypes"];
                };
            };
        };
    };
    listWorkingTimes: {
        parameters: {
            query?: {
                /** @description one of the token's agencies */
                agency_id?: number;
                /** @description ids of active users, separated by commas, at most 50 */
                user_ids?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkingTimes"];
                };
            };
        };
    };
    getWorkingTime: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a user */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkingTimeEnvelope"];
                };
            };
        };
    };
    putWorkingTime: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a user */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PutWorkingTimeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkingTimeEnvelope"];
                };
            };
        };
    };
    deleteBookingHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description the token of the hold */
                "X-Booking-Token"?: string;
            };
            path: {
                /** @description id of a hold */
                holdId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description the token of the booking; not needed with the pack agenda */
                "X-Booking-Token"?: string;
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a booking */
                bookingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingEnvelope"];
                };
            };
        };
    };
    cancelBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description the token of the booking; not needed with the pack agenda */
                "X-Booking-Token"?: string;
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a booking */
                bookingId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelBookingRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    rescheduleBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description the token of the booking; not needed with the pack agenda */
                "X-Booking-Token"?: string;
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a booking */
                bookingId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RescheduleBookingRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listHolidays: {
        parameters: {
            query: {
                /** @description the year */
                year: number;
                /** @description default FR */
                region?: "FR" | "FR-AM" | "FR-971" | "FR-972" | "FR-973" | "FR-974" | "FR-975" | "FR-976" | "FR-977" | "FR-978" | "FR-986" | "FR-987" | "FR-988";
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Holidays"];
                };
            };
        };
    };
    listIndexValues: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description index of rents */
                index: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexValues"];
                };
            };
        };
    };
    listLists: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListResourceList"];
                };
            };
        };
    };
    listListValues: {
        parameters: {
            query?: {
                /** @description true: values that are no longer active too */
                include_inactive?: boolean;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a list */
                listeId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferentialValueList"];
                };
            };
        };
    };
    listCriteria: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CriteriaResourceList"];
                };
            };
        };
    };
    getCriterion: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description key, or numeric id */
                criteriaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CriterionDetailEnvelope"];
                };
            };
        };
    };
    listCriterionValues: {
        parameters: {
            query?: {
                /** @description true: values that are no longer active too */
                include_inactive?: boolean;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description key, or numeric id */
                criteriaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferentialValueList"];
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCustomerEnvelope"];
                };
            };
        };
    };
    searchCustomers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchCustomersRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerResult"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateCustomerRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listCustomerActions: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
        };
    };
    createCustomerAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerActionRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionCreatedEnvelope"];
                };
            };
        };
    };
    anonymizeCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exportCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerExportEnvelope"];
                };
            };
        };
    };
    listFollowUps: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowUpPage"];
                };
            };
        };
    };
    createFollowUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFollowUpRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    deleteFollowUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
                /** @description id of a follow-up */
                followUpId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateFollowUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
                /** @description id of a follow-up */
                followUpId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateFollowUpRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listCustomerHistory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordHistory"];
                };
            };
        };
    };
    mergeCustomers: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeCustomersRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergedCustomersEnvelope"];
                };
            };
        };
    };
    listCustomerProducts: {
        parameters: {
            query?: {
                /** @description blocks */
                fetch?: ("criteres_text" | "criteres_number" | "criteres_fulltext" | "criteres_flag" | "criteres_publication_errors" | "descriptions" | "rooms" | "products_photos" | "customer" | "assigned_to" | "created_by" | "publications" | "actions_history" | "sale_agreement" | "active_sale_agreement" | "log_actions" | "live_visit" | "scopes" | "statistic" | "insee" | "online_booking" | "category" | "themes")[];
                /** @description next_cursor of the previous page */
                cursor?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
        };
    };
    listSearchRequests: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchRequestPage"];
                };
            };
        };
    };
    createSearchRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSearchRequestRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    getSearchRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
                /** @description id of a search request */
                searchId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchRequestEnvelope"];
                };
            };
        };
    };
    deleteSearchRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
                /** @description id of a search request */
                searchId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateSearchRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
                /** @description id of a search request */
                searchId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSearchRequestRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMatchingProducts: {
        parameters: {
            query?: {
                /** @description true: also what misses little */
                near_misses?: boolean;
                /** @description how many to leave out */
                skip?: number;
                /** @description default 50 */
                count?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a customer */
                customerId: number;
                /** @description id of a search request */
                searchId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchingProductPage"];
                };
            };
        };
    };
    discover: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveryRecordList"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description only events with a greater id */
                after?: number;
                /** @description event types; without it all */
                origines?: ("PRODUCT_CREATE" | "PRODUCT_UPDATE" | "PRODUCT_DELETE" | "CUSTOMER_CREATE" | "CUSTOMER_UPDATE" | "CUSTOMER_DELETE" | "ACTION_CREATE" | "SEARCH_CREATE" | "SEARCH_UPDATE" | "SEARCH_DELETE" | "FOLLOWUP_CREATE" | "FOLLOWUP_UPDATE" | "FOLLOWUP_DELETE" | "LEAD_CREATE" | "LEAD_UPDATE" | "OFFER_CREATE" | "OFFER_UPDATE" | "OFFER_DELETE" | "AGREEMENT_CREATE" | "AGREEMENT_UPDATE" | "AGREEMENT_DELETE" | "LEASE_CREATE" | "LEASE_UPDATE" | "LEASE_DELETE" | "APPOINTMENT_CREATE" | "APPOINTMENT_UPDATE" | "APPOINTMENT_DELETE" | "REMINDER_CREATE" | "PERMANENCE_CREATE" | "PERMANENCE_UPDATE" | "PERMANENCE_DELETE" | "WORKTIME_UPDATE" | "MANDATE_CREATE" | "MANDATE_UPDATE" | "USER_CREATE" | "USER_UPDATE" | "USER_DELETE" | "AGENCY_UPDATE" | "CRITERIA_UPDATE")[];
                /** @description default 100 */
                limit?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    listHooks: {
        parameters: {
            query?: {
                /** @description default 50 */
                per_page?: number;
                /** @description meta.next_cursor of the previous page */
                cursor?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookPage"];
                };
            };
        };
    };
    createHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHookRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    listHookAuths: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookAuthList"];
                };
            };
        };
    };
    createHookAuth: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookAuthInputRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    getHookAuth: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of an authentication configuration */
                authId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookAuthEnvelope"];
                };
            };
        };
    };
    updateHookAuth: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of an authentication configuration */
                authId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateHookAuthRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookAuthEnvelope"];
                };
            };
        };
    };
    deleteHookAuth: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of an authentication configuration */
                authId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOrigines: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StringList"];
                };
            };
        };
    };
    getHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponseEnvelope"];
                };
            };
        };
    };
    updateHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateHookRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponseEnvelope"];
                };
            };
        };
    };
    deleteHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description where it stands */
                status?: "pending" | "succeeded" | "rejected" | "failed" | "cancelled" | "superseded";
                /** @description what happened, as RESOURCE_ACTION */
                event_type?: string;
                /** @description id of what it is about */
                resource_id?: number;
                /** @description added on or after */
                from?: string;
                /** @description added before */
                to?: string;
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
                /** @description id of a delivery */
                deliveryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetailEnvelope"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
                /** @description id of a delivery */
                deliveryId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveringEnvelope"];
                };
            };
        };
    };
    replayHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplayHookRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayedEnvelope"];
                };
            };
        };
    };
    getHookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookSecretEnvelope"];
                };
            };
        };
    };
    rotateHookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HookSecretEnvelope"];
                };
            };
        };
    };
    testHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a webhook */
                hookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveringEnvelope"];
                };
            };
        };
    };
    listLeads: {
        parameters: {
            query?: {
                /** @description which kind it is */
                kind?: "seller" | "buyer";
                /** @description where it stands */
                status?: "NOUVEAU" | "ATTRIBUE" | "CONTACTE" | "QUALIFIE" | "TRANSFORME" | "PERDU";
                /** @description id of a customer */
                customer_id?: number;
                /** @description one of the token's agencies */
                agency_id?: number;
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadPage"];
                };
            };
        };
    };
    createBuyerLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateBuyerLeadRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedLeadEnvelope"];
                };
            };
        };
    };
    createSellerLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSellerLeadRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedLeadEnvelope"];
                };
            };
        };
    };
    getLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a lead */
                leadId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadEnvelope"];
                };
            };
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a lead */
                leadId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateLeadRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLeaseRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    searchLeases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchLeasesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeasePage"];
                };
            };
        };
    };
    getLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeaseEnvelope"];
                };
            };
        };
    };
    deleteLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateLeaseRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelLeaseRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelNotice: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndLeaseRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listLeaseHistory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordHistory"];
                };
            };
        };
    };
    giveNotice: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiveNoticeRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    reviseRent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReviseRentRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisedEnvelope"];
                };
            };
        };
    };
    signLease: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a lease */
                leaseId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignLeaseRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateProductRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    searchProducts: {
        parameters: {
            query?: {
                /** @description blocks; without it the result is ids only */
                fetch?: ("criteres_text" | "criteres_number" | "criteres_fulltext" | "criteres_flag" | "criteres_publication_errors" | "descriptions" | "rooms" | "products_photos" | "customer" | "assigned_to" | "created_by" | "publications" | "actions_history" | "sale_agreement" | "active_sale_agreement" | "log_actions" | "live_visit" | "scopes" | "statistic" | "insee" | "online_booking" | "category" | "themes")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchProductsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
        };
    };
    countProducts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CountProductsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResult"];
                };
            };
        };
    };
    countFacets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductFacetsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetsResult"];
                };
            };
        };
    };
    getProduct: {
        parameters: {
            query?: {
                /** @description blocks */
                fetch?: ("criteres_text" | "criteres_number" | "criteres_fulltext" | "criteres_flag" | "criteres_publication_errors" | "descriptions" | "rooms" | "products_photos" | "customer" | "assigned_to" | "created_by" | "publications" | "actions_history" | "sale_agreement" | "active_sale_agreement" | "log_actions" | "live_visit" | "scopes" | "statistic" | "insee" | "online_booking" | "category" | "themes")[];
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductEnvelope"];
                };
            };
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProductRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listProductActions: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
        };
    };
    createProductAction: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProductActionRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionCreatedEnvelope"];
                };
            };
        };
    };
    createBookingHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHoldRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedHoldEnvelope"];
                };
            };
        };
    };
    listBookingSlots: {
        parameters: {
            query?: {
                /** @description now where nothing is said */
                from?: string;
                /** @description as far as can be booked where nothing is said; at most 62 days after from */
                to?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookingSlots"];
                };
            };
        };
    };
    createBooking: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBookingRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedBookingEnvelope"];
                };
            };
        };
    };
    listProductCriteria: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductCriteria"];
                };
            };
        };
    };
    listProductHistory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordHistory"];
                };
            };
        };
    };
    listLots: {
        parameters: {
            query?: {
                /** @description blocks */
                fetch?: ("criteres_text" | "criteres_number" | "criteres_fulltext" | "criteres_flag" | "criteres_publication_errors" | "descriptions" | "rooms" | "products_photos" | "customer" | "assigned_to" | "created_by" | "publications" | "actions_history" | "sale_agreement" | "active_sale_agreement" | "log_actions" | "live_visit" | "scopes" | "statistic" | "insee" | "online_booking" | "category" | "themes")[];
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lots"];
                };
            };
        };
    };
    listMatchingSearches: {
        parameters: {
            query?: {
                /** @description true: also what misses little */
                near_misses?: boolean;
                /** @description how many to leave out */
                skip?: number;
                /** @description default 50 */
                count?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchingSearchPage"];
                };
            };
        };
    };
    listPictures: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhotoList"];
                };
            };
        };
    };
    addPrivatePicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AddPictureRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    addPublicPicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AddPictureRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
                /** @description id of a picture */
                pictureId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnePhoto"];
                };
            };
        };
    };
    deletePicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
                /** @description id of a picture */
                pictureId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updatePicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
                /** @description id of a picture */
                pictureId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePictureRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    restoreProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a product */
                productId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteRoom: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a product */
                productId: number;
                /** @description id of a room */
                roomId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessRecordList"];
                };
            };
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description X-Request-Id of the answer, and request_id of an error */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestRecordEnvelope"];
                };
            };
        };
    };
    createAgreement: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgreementRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    searchAgreements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchAgreementsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaleAgreementPage"];
                };
            };
        };
    };
    getAgreement: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaleAgreementEnvelope"];
                };
            };
        };
    };
    deleteAgreement: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateAgreement: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateAgreementRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelAgreement: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelAgreementRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    failCondition: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
                /** @description id of a condition of the agreement */
                conditionId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FailConditionRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    liftCondition: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
                /** @description id of a condition of the agreement */
                conditionId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LiftConditionRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAgreementHistory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordHistory"];
                };
            };
        };
    };
    notariseAgreement: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotariseAgreementRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    notifyBuyers: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotifyBuyersRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    retractAgreement: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetractAgreementRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signAgreement: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of a sale agreement */
                agreementId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignAgreementRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOfferRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedEnvelope"];
                };
            };
        };
    };
    searchOffers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SearchOffersRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaleOfferPage"];
                };
            };
        };
    };
    getOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaleOfferEnvelope"];
                };
            };
        };
    };
    deleteOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOfferRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    acceptOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelOfferRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    counterOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CounterOfferRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOfferHistory: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: number;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordHistory"];
                };
            };
        };
    };
    refuseOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefuseOfferRequest"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    withdrawOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of what you would write over: 412 when the record has changed since; without it the last write wins */
                "If-Match"?: components["parameters"]["If-Match"];
                /** @description a name of your choice for this request: repeated with it, the request has its effect once and gets the same answer again */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description id of an offer */
                offerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteEnvelope"];
                };
            };
        };
    };
    computeAmounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComputeAmountsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllAmounts"];
                };
            };
        };
    };
    listPendingDeadlines: {
        parameters: {
            query: {
                /** @description included */
                from: string;
                /** @description included; at most 366 days after from */
                to: string;
                /** @description one of the token's agencies */
                agency_id?: number;
                /** @description which kind it is */
                kind?: "RETRACTATION" | "CONDITION" | "RESTITUTION_ACOMPTE" | "ACTE" | "TERME" | "CONGE" | "OFFRE";
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllPending"];
                };
            };
        };
    };
    computeDeadlines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComputeDeadlinesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deadlines"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description one of the token's agencies */
                agency_id?: number;
                /** @description true: only those that are active */
                active?: boolean;
                /** @description default 50 */
                per_page?: number;
                /** @description meta.next_cursor of the previous page */
                cursor?: string;
            };
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
        };
    };
    listGenders: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelRecordList"];
                };
            };
        };
    };
    listUserGroups: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserGroupList"];
                };
            };
        };
    };
    listUserTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelRecordList"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags you have: 304 when the answer would show one of them */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description id of a user */
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserEnvelope"];
                };
            };
        };
    };
}
