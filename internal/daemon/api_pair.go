package daemon

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"hermes/bridge"
	"hermes/internal/api"
	"hermes/internal/console"
	"hermes/internal/storage"
	"hermes/telegram"
)

// pairingAPI serves who may answer, and invitations: /v1/pair.
type pairingAPI struct {
	bridge *bridge.Bridge
	bot    *telegram.Bot
	log    *slog.Logger
}

func (a pairingAPI) addTo(routes map[string]http.Handler) {
	routes["POST /v1/pair"] = http.HandlerFunc(a.makeInvitation)
	routes["GET /v1/pair"] = http.HandlerFunc(a.listPairings)
	routes["DELETE /v1/pair/{id}"] = http.HandlerFunc(a.removePairing)
}

// makeInvitation answers POST /v1/pair.
func (a pairingAPI) makeInvitation(w http.ResponseWriter, r *http.Request) {
	in, fault := api.ReadInvite(http.MaxBytesReader(w, r.Body, 64<<10))
	if fault != "" {
		api.Refuse(w, http.StatusBadRequest, fault)
		return
	}
	username, err := a.bot.Username(r.Context())
	if err != nil {
		a.log.Warn("no link can be made without the bot's name", "err", err)
		api.Refuse(w, http.StatusBadGateway, "Telegram does not tell the bot's name now, which the link needs; try again, and see hermes doctor")
		return
	}
	if in.Group {
		if joins, err := a.bot.JoinsGroups(r.Context()); err == nil && !joins {
			api.Refuse(w, http.StatusConflict, "nobody can add the bot to a group now: send /setjoingroups to @BotFather, choose Enable, and try again")
			return
		}
	}
	i, code := storage.Invite(time.Now())
	i.Group, i.Name, i.Roles = in.Group, in.Name, in.Roles
	by, err := a.bridge.Invite(r.Context(), i)
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	answer := api.InvitationOf(i)
	answer.By = by
	answer.Link = console.DeepLink(username, i.Group, code)
	api.Reply(w, http.StatusOK, answer)
}

// listPairings answers GET /v1/pair.
func (a pairingAPI) listPairings(w http.ResponseWriter, r *http.Request) {
	p, err := a.bridge.Paired(r.Context())
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	waiting, err := a.bridge.Admissions(r.Context())
	if err != nil {
		refuseError(w, a.log, err)
		return
	}
	answer := api.PairingsOf(p)
	for _, t := range waiting {
		answer.Waiting = append(answer.Waiting, api.WaitingOf(t))
	}
	api.Reply(w, http.StatusOK, answer)
}

// removePairing answers DELETE /v1/pair/{id}.
func (a pairingAPI) removePairing(w http.ResponseWriter, r *http.Request) {
	what, err := a.bridge.Unpair(r.Context(), r.PathValue("id"))
	switch {
	case errors.Is(err, bridge.ErrNotPaired):
		api.Refuse(w, http.StatusNotFound, bridge.ErrNotPaired.Error())
	case errors.Is(err, bridge.ErrLastPerson):
		api.Refuse(w, http.StatusConflict, bridge.ErrLastPerson.Error())
	case err != nil:
		refuseError(w, a.log, err)
	default:
		api.Reply(w, http.StatusOK, map[string]string{"removed": what})
	}
}
